import { useState } from 'react'
import type { WireConversation } from 'recollect/react'
import { download } from '../../api/download.ts'
import { addressOf, navigate, toPlace } from '../../router.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { changeConversation, eraseConversation } from './conversation-list.ts'
import { forkConversation } from './fork-conversation.ts'
import { RenameDialog } from './rename-dialog.tsx'
import { TagsDialog } from './tags-dialog.tsx'
import { titleOf } from './title-of.ts'

interface ConversationMenuProps {
  readonly conversation: WireConversation
  readonly className?: string
}

export function ConversationMenu({ conversation, className = 'icon-button' }: ConversationMenuProps) {
  const [asks, setAsks] = useState<'rename' | 'tags' | undefined>()
  const title = titleOf(conversation)
  const close = () => setAsks(undefined)
  return (
    <>
      <Menu label={`What to do with “${title}”`} className={className} button={<Icon name="more" />}>
        {() => <Items conversation={conversation} ask={setAsks} />}
      </Menu>
      {asks === 'rename' && <RenameDialog conversation={conversation} onClose={close} />}
      {asks === 'tags' && <TagsDialog conversation={conversation} onClose={close} />}
    </>
  )
}

interface ItemsProps {
  readonly conversation: WireConversation
  readonly ask: (what: 'rename' | 'tags') => void
}

function Items({ conversation, ask }: ItemsProps) {
  const { id, isPinned, isMemoryOn, archivedAt } = conversation
  const isArchived = archivedAt !== undefined
  return (
    <>
      <MenuItem icon="edit" onChoose={() => ask('rename')}>
        Rename …
      </MenuItem>
      <MenuItem icon="tag" onChoose={() => ask('tags')}>
        Tags …
      </MenuItem>
      <MenuItem icon="pin" onChoose={() => void changeConversation(id, { isPinned: !isPinned })}>
        {isPinned ? 'Unpin' : 'Pin'}
      </MenuItem>
      <MenuItem icon="fork" onChoose={() => void forkConversation(conversation)}>
        Fork
      </MenuItem>
      <MenuItem icon="ghost" onChoose={() => void changeConversation(id, { isMemoryOn: !isMemoryOn })}>
        {isMemoryOn ? 'Switch memory off' : 'Switch memory on'}
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
        {isArchived ? 'Take out of the archive' : 'Archive'}
      </MenuItem>
      <MenuItem icon="trash" isDanger onChoose={() => erase(conversation)}>
        Delete
      </MenuItem>
    </>
  )
}

function erase(conversation: WireConversation): void {
  const open = toPlace(location.pathname).conversationId
  eraseConversation(conversation.id, titleOf(conversation))
  if (open === conversation.id && location.pathname.startsWith(addressOf(conversation.id))) navigate('/')
}
