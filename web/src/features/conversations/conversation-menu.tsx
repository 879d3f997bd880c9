import { useId, useState } from 'react'
import type { WireConversation } from 'recollect/react'
import { download } from '../../api/download.ts'
import { addressOf, navigate, toPlace } from '../../router.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { changeConversation, deleteConversation } from './conversation-list.ts'
import { forkConversation } from './fork-conversation.ts'
import { PageDialog } from './page-dialog.tsx'
import { titleOf } from './title-of.ts'

interface ConversationMenuProps {
  readonly conversation: WireConversation
  readonly className?: string
}

type ChatDialog = 'rename' | 'tags' | 'page'

export function ConversationMenu({ conversation, className = 'icon-button' }: ConversationMenuProps) {
  const [dialog, setDialog] = useState<ChatDialog | undefined>()
  const title = titleOf(conversation)
  const close = () => setDialog(undefined)
  return (
    <>
      <Menu label={`Actions for “${title}”`} className={className} button={<Icon name="more" />}>
        {() => <Items conversation={conversation} onDialog={setDialog} />}
      </Menu>
      {dialog === 'rename' && <RenameDialog conversation={conversation} onClose={close} />}
      {dialog === 'tags' && <TagsDialog conversation={conversation} onClose={close} />}
      {dialog === 'page' && <PageDialog conversationId={conversation.id} onClose={close} />}
    </>
  )
}

interface ItemsProps {
  readonly conversation: WireConversation
  readonly onDialog: (dialog: ChatDialog) => void
}

function Items({ conversation, onDialog }: ItemsProps) {
  const { id, isPinned, isMemoryOn, archivedAt } = conversation
  const isArchived = archivedAt !== undefined
  return (
    <>
      <MenuItem icon="edit" onChoose={() => onDialog('rename')}>
        Rename…
      </MenuItem>
      <MenuItem icon="tag" onChoose={() => onDialog('tags')}>
        Tags…
      </MenuItem>
      <MenuItem icon="list" onChoose={() => onDialog('page')}>
        What it is about…
      </MenuItem>
      <MenuItem icon="pin" onChoose={() => void changeConversation(id, { isPinned: !isPinned })}>
        {isPinned ? 'Unpin' : 'Pin'}
      </MenuItem>
      <MenuItem icon="fork" onChoose={() => void forkConversation(conversation)}>
        Fork
      </MenuItem>
      <MenuItem icon="ghost" onChoose={() => void changeConversation(id, { isMemoryOn: !isMemoryOn })}>
        {isMemoryOn ? 'Turn memory off' : 'Turn memory on'}
      </MenuItem>
      <hr className="menu-line" />
      <MenuItem icon="download" onChoose={() => void download(conversation, 'markdown')}>
        Export as Markdown
      </MenuItem>
      <MenuItem icon="download" onChoose={() => void download(conversation, 'json')}>
        Export as JSON
      </MenuItem>
      <hr className="menu-line" />
      <MenuItem icon="archive" onChoose={() => void changeConversation(id, { isArchived: !isArchived })}>
        {isArchived ? 'Unarchive' : 'Archive'}
      </MenuItem>
      <MenuItem icon="trash" isDanger onChoose={() => deleteAndLeave(conversation)}>
        Delete
      </MenuItem>
    </>
  )
}

function deleteAndLeave(conversation: WireConversation): void {
  const open = toPlace(location.pathname).conversationId
  deleteConversation(conversation.id, titleOf(conversation))
  if (open === conversation.id && location.pathname.startsWith(addressOf(conversation.id))) navigate('/')
}

interface RenameDialogProps {
  readonly conversation: WireConversation
  readonly onClose: () => void
}

function RenameDialog({ conversation, onClose }: RenameDialogProps) {
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

interface TagsDialogProps {
  readonly conversation: WireConversation
  readonly onClose: () => void
}

function TagsDialog({ conversation, onClose }: TagsDialogProps) {
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
