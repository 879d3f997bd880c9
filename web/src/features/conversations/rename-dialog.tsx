import { useId, useState } from 'react'
import type { WireConversation } from 'recollect/react'
import { Dialog } from '../../ui/dialog.tsx'
import { changeConversation } from './conversation-list.ts'
import { titleOf } from './title-of.ts'

interface RenameDialogProps {
  readonly conversation: WireConversation
  readonly onClose: () => void
}

export function RenameDialog({ conversation, onClose }: RenameDialogProps) {
  const [title, setTitle] = useState(titleOf(conversation))
  const id = useId()
  const save = () => {
    const trimmed = title.trim()
    void changeConversation(conversation.id, { title: trimmed === '' ? null : trimmed })
  }
  return (
    <Dialog title="Rename chat" action="Rename" onSubmit={save} onClose={onClose}>
      <div className="field">
        <label className="field-label" htmlFor={id}>
          Title
        </label>
        <input
          id={id}
          className="input"
          value={title}
          maxLength={200}
          onFocus={(event) => event.target.select()}
          onChange={(event) => setTitle(event.target.value)}
        />
        <p className="field-hint">Leave empty for an automatic title.</p>
      </div>
    </Dialog>
  )
}
