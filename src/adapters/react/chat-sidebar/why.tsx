import { type ReactNode, useState } from 'react'
import type { Receipt, ReceiptItem } from '../../../index.ts'
import { isOpen } from '../browser.ts'
import type { Wire } from '../client/wire.ts'
import { useRemote } from '../use-remote.ts'
import type { ChatSidebarLabels } from './labels.ts'

interface WhyProps {
  readonly conversationId: string
  readonly receiptId: string
  readonly labels: ChatSidebarLabels
}

/** What the model was given for an answer, and why; loaded when it is opened. */
export function Why(props: WhyProps): ReactNode {
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
