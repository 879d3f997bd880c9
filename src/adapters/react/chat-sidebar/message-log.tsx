import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { isBrowser, scrollBoxOf } from '../browser.ts'
import type { ShownMessage } from '../live/conversation-view.ts'
import type { UsedConversation } from '../use-conversation.ts'
import type { ChatSidebarLabels } from './labels.ts'
import { MessageItem } from './message-item.tsx'

export interface MessageLogProps {
  readonly conversationId: string
  readonly conversation: UsedConversation
  readonly labels: ChatSidebarLabels
  readonly renderText: (message: ShownMessage) => ReactNode
  readonly isWhyShown: boolean
}

/** Readers who have scrolled up further than this are not scrolled to the end. */
const NEAR_END_PIXELS = 80

export function MessageLog({ conversation, labels, ...more }: MessageLogProps): ReactNode {
  const { messages, status, hasEarlier, isLoadingEarlier, loadEarlier, regenerate } = conversation
  const box = useKeptAtEnd(messages)
  const spoken = messages.filter(({ role, text }) => (role === 'user' || role === 'assistant') && text !== '')
  const last = spoken.at(-1)
  const isAnswerLast = last?.role === 'assistant' && last.position !== undefined && status === 'ready'
  return (
    <div
      className="recollect-log"
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      role="log"
      aria-live="off"
      aria-label={labels.title}
    >
      {hasEarlier && (
        <button
          type="button"
          className="recollect-earlier"
          disabled={isLoadingEarlier}
          onClick={() => void loadEarlier()}
        >
          {isLoadingEarlier ? labels.loading : labels.earlier}
        </button>
      )}
      <ol className="recollect-messages">
        {spoken.map((message) => (
          <MessageItem
            key={message.id}
            message={message}
            labels={labels}
            onRegenerate={isAnswerLast && message === last ? () => void regenerate(message.id) : undefined}
            {...more}
          />
        ))}
      </ol>
      {spoken.length === 0 && (
        <p className="recollect-empty">{status === 'loading' ? labels.loading : labels.empty}</p>
      )}
    </div>
  )
}

/** React 18 warns about layout effects during server-side rendering. */
const useEffectOnLayout = isBrowser ? useLayoutEffect : useEffect

/** Stays at the end while messages arrive; stays at the same message when earlier ones are loaded. */
function useKeptAtEnd(messages: readonly ShownMessage[]): React.RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null)
  const before = useRef({ height: 0, firstId: '' })
  const firstId = messages[0]?.id ?? ''
  useEffectOnLayout(() => {
    if (box.current === null) return
    const place = scrollBoxOf(box.current)
    const { height, firstId: earlierFirst } = before.current
    const isNearEnd = height - place.scrollTop - place.clientHeight < NEAR_END_PIXELS
    const isGrownAbove = earlierFirst !== '' && earlierFirst !== firstId
    if (isGrownAbove) place.scrollTop += place.scrollHeight - height
    else if (isNearEnd) place.scrollTop = place.scrollHeight
    before.current = { height: place.scrollHeight, firstId }
  }, [messages, firstId])
  return box
}
