import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Receipt, ReceiptItem } from '../../../index.ts'
import type { Wire } from '../../../schemas/wire.ts'
import { isBrowser, isOpen, scrollBoxOf } from '../browser.ts'
import { type UsedConversation, useRemote } from '../hooks.tsx'
import type { ShownMessage } from '../live/conversation-view.ts'
import type { ChatSidebarLabels } from './labels.ts'

interface MessageLogProps {
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

interface MessageItemProps {
  readonly conversationId: string
  readonly message: ShownMessage
  readonly labels: ChatSidebarLabels
  /** Missing if the answer cannot be regenerated. */
  readonly onRegenerate?: (() => void) | undefined
  readonly renderText: (message: ShownMessage) => ReactNode
  readonly isWhyShown: boolean
}

function MessageItem({ message, labels, conversationId, ...more }: MessageItemProps): ReactNode {
  const { role, state, receiptId, name } = message
  const { onRegenerate, renderText, isWhyShown } = more
  const speaker = name ?? (role === 'user' ? labels.you : labels.assistant)
  const isWhyToTell = isWhyShown && receiptId !== undefined && state !== 'answering'
  return (
    <li className="recollect-message" data-role={role} data-state={state}>
      <span className="recollect-speaker">{speaker}</span>
      <div className="recollect-text" dir="auto">
        {renderText(message)}
      </div>
      <MessageFooter message={message} labels={labels} />
      {isWhyToTell && <Why conversationId={conversationId} receiptId={receiptId} labels={labels} />}
      {onRegenerate && (
        <button type="button" className="recollect-regenerate" onClick={onRegenerate}>
          {labels.regenerate}
        </button>
      )}
    </li>
  )
}

function MessageFooter({ message, labels }: Pick<MessageItemProps, 'message' | 'labels'>): ReactNode {
  const { state, isFromMemory } = message
  const words = [...(isFromMemory ? [labels.fromMemory] : []), ...(state === 'kept' ? [] : [labels[state]])]
  if (words.length === 0) return null
  return <span className="recollect-state">{words.join(' · ')}</span>
}

interface WhyProps {
  readonly conversationId: string
  readonly receiptId: string
  readonly labels: ChatSidebarLabels
}

/** What the model was given for an answer, and why; loaded when it is opened. */
function Why(props: WhyProps): ReactNode {
  const [isLookedAt, setIsLookedAt] = useState(false)
  return (
    <details
      className="recollect-why"
      onToggle={(event) => setIsLookedAt((before) => before || isOpen(event.currentTarget))}
    >
      <summary>{props.labels.why}</summary>
      {isLookedAt && <ReceiptShown {...props} />}
    </details>
  )
}

function ReceiptShown({ conversationId, receiptId, labels }: WhyProps): ReactNode {
  const { value: receipt, error } = useRemote({
    name: `receipt ${conversationId} ${receiptId}`,
    read: (client, signal) => client.conversation(conversationId).receipt(receiptId, { signal }),
  })
  if (error !== undefined) return <p className="recollect-why-error">{error.message}</p>
  if (receipt === undefined) return <p>{labels.loading}</p>
  return (
    <>
      <p className="recollect-why-tokens">{labels.tokens(receipt.tokens, receipt.budgetTokens)}</p>
      <ul className="recollect-why-parts">
        {receipt.parts.map((part) => (
          <ReceiptPartShown key={part.section} part={part} />
        ))}
      </ul>
    </>
  )
}

function ReceiptPartShown({ part }: { readonly part: Wire<Receipt>['parts'][number] }): ReactNode {
  const { section, tokens, reason, items = [] } = part
  return (
    <li data-section={section}>
      <strong>{section}</strong> <span>{tokens.toLocaleString()}</span> <span>{reason}</span>
      {items.length > 0 && (
        <ul>
          {items.map((item) => (
            <li key={`${item.kind} ${item.id}`} data-kind={item.kind}>
              {toReason(item)}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

const toReason = ({ kind, reasons }: Wire<ReceiptItem>): string =>
  `${kind}: ${reasons.map(({ text }) => text).join('; ')}`
