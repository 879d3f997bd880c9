import { type ReactNode, useEffect } from 'react'
import { addressOf, Link } from '../../router.tsx'
import { Icon } from '../../ui/icon.tsx'
import { TopBar } from '../shell/top-bar.tsx'
import { ConversationMenu } from './conversation-menu.tsx'
import { titleOf } from './title-of.ts'
import { useConversationInfo } from './use-conversation-info.ts'
import './conversation-bar.css'

interface ConversationBarProps {
  readonly conversationId: string
  readonly tab: 'chat' | 'topics'
  readonly children?: ReactNode
}

/** The header of a conversation's pages. */
export function ConversationBar({ conversationId, tab, children }: ConversationBarProps) {
  const { conversation } = useConversationInfo(conversationId)
  const title = conversation === undefined ? '' : titleOf(conversation)
  useEffect(() => {
    document.title = title === '' ? 'Recollect' : `${title} · Recollect`
    return () => {
      document.title = 'Recollect'
    }
  }, [title])
  return (
    <TopBar
      title={
        <>
          <h1 title={title}>{title}</h1>
          {conversation?.isMemoryOn === false && (
            <span className="chip chip-warn">
              <Icon name="ghost" size={13} />
              memory off
            </span>
          )}
          <span className="bar-tags">
            {conversation?.tags.map((tag) => (
              <span key={tag} className="chip">
                {tag}
              </span>
            ))}
          </span>
        </>
      }
    >
      <nav className="segments" aria-label="Views of this chat">
        <Link
          to={addressOf(conversationId)}
          className="segment"
          aria-current={tab === 'chat' ? 'page' : undefined}
        >
          <Icon name="chat" size={15} />
          <span className="segment-text">Chat</span>
        </Link>
        <Link
          to={`${addressOf(conversationId)}/topics`}
          className="segment"
          aria-current={tab === 'topics' ? 'page' : undefined}
        >
          <Icon name="topics" size={15} />
          <span className="segment-text">Topics</span>
        </Link>
      </nav>
      {children}
      {conversation !== undefined && <ConversationMenu conversation={conversation} />}
    </TopBar>
  )
}
