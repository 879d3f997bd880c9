import { useId, useState } from 'react'
import type { WireConversation } from 'recollect/react'
import { Dialog } from '../../ui/dialog.tsx'
import { changeConversation } from './conversation-list.ts'

interface TagsDialogProps {
  readonly conversation: WireConversation
  readonly onClose: () => void
}

export function TagsDialog({ conversation, onClose }: TagsDialogProps) {
  const [text, setText] = useState(conversation.tags.join(', '))
  const id = useId()
  const save = () => void changeConversation(conversation.id, { tags: toTags(text) })
  return (
    <Dialog title="Tags" action="Save" onSubmit={save} onClose={onClose}>
      <div className="field">
        <label className="field-label" htmlFor={id}>
          Tags, separated by commas
        </label>
        <input
          id={id}
          className="input"
          value={text}
          placeholder="travel, work"
          onChange={(event) => setText(event.target.value)}
        />
        <p className="field-hint">You can find chats by their tags.</p>
      </div>
    </Dialog>
  )
}

const toTags = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
]
