import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { ShownMessage, UsedConversation } from 'recollect/react'
import { IconButton } from '../../ui/button.tsx'
import { MessageItem } from './message-item.tsx'
import { useScrollPlace } from './use-scroll-place.ts'

interface MessageListProps {
  readonly conversationId: string
  readonly conversation: UsedConversation
  readonly messageId: string | undefined
  /** Number of messages sent from here; each one scrolls to the end. */
  readonly sentCount: number
  readonly shownReceipt: string | undefined
  readonly onWhy: (receiptId: string) => void
  readonly onEdit: (messageId: string, text: string) => void
  readonly onRegenerate: (messageId: string) => void
}

/** Loads earlier messages when fewer than this are left above. */
const AHEAD = 8
const CHARACTERS_PER_LINE = 80
const LINE_PX = 25

export function MessageList(props: MessageListProps) {
  const { conversationId, conversation, messageId, sentCount, shownReceipt } = props
  const { messages, status, hasEarlier, loadEarlier } = conversation
  const rows = useMemo(() => withWaiting(messages, status), [messages, status])
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimate(rows[index]),
    getItemKey: (index) => rows[index]?.id ?? index,
    anchorTo: 'end',
    followOnAppend: true,
    overscan: 6,
    paddingStart: 8,
    paddingEnd: 28,
  })
  const { isAtEnd, litId } = useScrollPlace({ conversationId, conversation, messageId, virtual, scroller })
  const items = virtual.getVirtualItems()
  const first = items[0]?.index ?? 0
  useEffect(() => {
    if (hasEarlier && first < AHEAD) void loadEarlier()
  }, [hasEarlier, first, loadEarlier])
  useLayoutEffect(() => {
    if (sentCount > 0) virtual.scrollToEnd()
  }, [sentCount, virtual])
  return (
    <div className="messages-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section ref={scroller} className="messages" tabIndex={0} aria-label="Messages">
        <div className="messages-space" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, key, start }) => {
            const message = rows[index]
            if (message === undefined) return null
            return (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className="message-row"
                style={{ transform: `translateY(${start}px)` }}
              >
                <MessageItem
                  message={message}
                  isLit={message.id === litId}
                  isLast={index === rows.length - 1}
                  isWhyShown={message.receiptId !== undefined && message.receiptId === shownReceipt}
                  previousAt={rows[index - 1]?.createdAt}
                  conversationId={conversationId}
                  onWhy={props.onWhy}
                  onEdit={props.onEdit}
                  onRegenerate={props.onRegenerate}
                />
              </div>
            )
          })}
        </div>
        {status === 'loading' && <LoadingMessages />}
      </section>
      {!isAtEnd && <ToEnd onClick={() => virtual.scrollToEnd()} />}
      <Announcer messages={messages} status={status} />
    </div>
  )
}

const WAITING: Pick<ShownMessage, 'role' | 'state' | 'text' | 'content'> = {
  role: 'assistant',
  state: 'answering',
  text: '',
  content: '',
}

/** Adds a placeholder until the answer starts to arrive. */
function withWaiting(messages: readonly ShownMessage[], status: string): readonly ShownMessage[] {
  const last = messages.at(-1)
  const isWaiting = (status === 'sending' || status === 'answering') && last?.role === 'user'
  return isWaiting ? [...messages, { ...WAITING, id: 'answer', createdAt: last.createdAt }] : messages
}

function estimate(message: ShownMessage | undefined): number {
  const length = Math.min(message?.text.length ?? 0, 20_000)
  return 84 + Math.ceil(length / CHARACTERS_PER_LINE) * LINE_PX
}

/** Screen readers announce an answer once it is complete, not word by word. */
function Announcer({ messages, status }: Pick<UsedConversation, 'messages' | 'status'>) {
  const last = messages.at(-1)
  const text = status === 'ready' && last?.role === 'assistant' ? last.text.slice(0, 2000) : ''
  return (
    <p className="visually-hidden" aria-live="polite">
      {status === 'answering' ? 'Answering…' : text}
    </p>
  )
}

const ToEnd = ({ onClick }: { readonly onClick: () => void }) => (
  <IconButton icon="down" label="Jump to latest message" className="to-end" onClick={onClick} />
)

function LoadingMessages() {
  return (
    <div className="messages-loading" role="status" aria-label="Loading messages">
      {[40, 86, 72].map((width) => (
        <div key={width} className="skeleton" style={{ width: `${width}%`, height: 18 }} />
      ))}
    </div>
  )
}
