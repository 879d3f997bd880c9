import type { ReactNode } from 'react'
import { useRemote } from 'recollect/react'
import { formatCount } from '../../format.ts'
import { IconButton } from '../../ui/button.tsx'
import { useIsWide } from '../../ui/use-is-wide.ts'
import { Drawer } from '../shell/drawer.tsx'
import { BudgetBar } from './budget-bar.tsx'
import { Difference } from './difference.tsx'
import { LeftOut } from './left-out.tsx'
import { RememberedItems } from './remembered-items.tsx'
import type { Receipt } from './sections.ts'
import './why.css'

interface WhyPanelProps {
  readonly conversationId: string
  readonly receiptId: string
  readonly onClose: () => void
}

/** What the model received for an answer, and why. Sits beside the chat, or over it on narrow screens. */
export function WhyPanel({ conversationId, receiptId, onClose }: WhyPanelProps) {
  const isWide = useIsWide(1180)
  const content = <Why conversationId={conversationId} receiptId={receiptId} onClose={onClose} />
  if (isWide)
    return (
      <aside className="why-side" aria-label="Why this answer">
        {content}
      </aside>
    )
  return (
    <Drawer label="Why this answer" side="right" onClose={onClose}>
      {content}
    </Drawer>
  )
}

function Why({ conversationId, receiptId, onClose }: WhyPanelProps) {
  const { value: receipt, error } = useRemote({
    name: `receipt ${conversationId} ${receiptId}`,
    read: (client, signal) => client.conversation(conversationId).receipt(receiptId, { signal }),
  })
  return (
    <div className="why">
      <header className="why-head">
        <h2>Why this answer</h2>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section className="why-scroll" tabIndex={0} aria-label="What the model received">
        {receipt === undefined ? (
          <p className="why-lead">{error === undefined ? 'Loading…' : error.message}</p>
        ) : (
          <Sections receipt={receipt} conversationId={conversationId} />
        )}
      </section>
    </div>
  )
}

function Sections({
  receipt,
  conversationId,
}: {
  readonly receipt: Receipt
  readonly conversationId: string
}) {
  const items = receipt.parts.flatMap((part) => part.items ?? [])
  return (
    <>
      <p className="why-lead">
        The model received <strong>{formatCount(receipt.tokens)}</strong> of up to{' '}
        {formatCount(receipt.budgetTokens)} tokens.
      </p>
      <BudgetBar receipt={receipt} />
      <Part title="Used from memory" count={items.length}>
        <RememberedItems receipt={receipt} />
      </Part>
      <Part title="Compared with the previous answer">
        <Difference receipt={receipt} conversationId={conversationId} />
      </Part>
      <Part title="Left out" count={receipt.omitted.length}>
        <LeftOut receipt={receipt} conversationId={conversationId} />
      </Part>
      {receipt.repairs.length > 0 && (
        <Part title="Repaired" count={receipt.repairs.length}>
          <ul className="why-list">
            {receipt.repairs.map(({ repair, messageId = '' }) => (
              <li key={`${messageId} ${repair}`}>{repair}</li>
            ))}
          </ul>
        </Part>
      )}
    </>
  )
}

interface PartProps {
  readonly title: string
  readonly count?: number
  readonly children: ReactNode
}

function Part({ title, count, children }: PartProps) {
  return (
    <section className="why-part">
      <h3>
        {title}
        {count !== undefined && <span className="chip">{count}</span>}
      </h3>
      {children}
    </section>
  )
}
