import { memo } from 'react'
import type { WireConversation } from 'recollect/react'
import { addressOf, Link } from '../../router.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ConversationMenu } from './conversation-menu.tsx'
import { isUnread, seen } from './seen.ts'
import { titleOf } from './title-of.ts'

interface ConversationRowProps {
  readonly conversation: WireConversation
  readonly isOpen: boolean
  readonly onLeave: () => void
}

export const ConversationRow = memo(({ conversation, isOpen, onLeave }: ConversationRowProps) => {
  const title = titleOf(conversation)
  const isNew = !isOpen && isUnread(conversation, seen.get())
  return (
    <div className={isOpen ? 'chat-row chat-row-open' : 'chat-row'}>
      <Link
        to={addressOf(conversation.id)}
        className="chat-row-link"
        aria-current={isOpen ? 'page' : undefined}
        title={title}
        onClick={onLeave}
      >
        {!conversation.isMemoryOn && <Icon name="ghost" size={14} />}
        {conversation.forkedFrom !== undefined && <Icon name="fork" size={14} />}
        <span className={isNew ? 'chat-row-title chat-row-unread' : 'chat-row-title'}>{title}</span>
        {isNew && (
          <span className="unread-dot">
            <span className="visually-hidden">unread</span>
          </span>
        )}
      </Link>
      <ConversationMenu conversation={conversation} className="icon-button icon-button-small chat-row-menu" />
    </div>
  )
})
