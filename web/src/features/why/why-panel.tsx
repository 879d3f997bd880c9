import { type ReactNode, useCallback, useSyncExternalStore } from 'react'
import { useRemote } from 'recollect/react'
import { formatCount, toSentence } from '../../format.ts'
import { IconButton } from '../../ui/button.tsx'
import { Drawer } from '../shell/drawer.tsx'
import { Difference } from './difference.tsx'
import { LeftOut } from './left-out.tsx'
import { RememberedItems } from './remembered-items.tsx'
import { type Receipt, SECTION_NAMES } from './sections.ts'
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

/** How the token budget was used: a bar, and a row for each section. */
function BudgetBar({ receipt }: { readonly receipt: Receipt }) {
  const { parts, budgetTokens, tokens } = receipt
  const spent = parts.filter((part) => part.tokens > 0)
  // With a large budget the used part would be a sliver, so the bar then shows only the used part.
  const isSliver = tokens < budgetTokens / 8
  const whole = isSliver ? tokens : budgetTokens
  const free = budgetTokens - tokens
  return (
    <div className="budget">
      <div className="budget-bar" aria-hidden="true">
        {spent.map((part) => (
          <span
            key={part.section}
            className="budget-piece"
            data-section={part.section}
            style={{ flexGrow: part.tokens }}
            title={`${SECTION_NAMES[part.section]}: ${formatCount(part.tokens)} tokens`}
          />
        ))}
        {!isSliver && free > 0 && <span className="budget-free" style={{ flexGrow: whole - tokens }} />}
      </div>
      <ul className="budget-list">
        {spent.map((part) => (
          <li key={part.section}>
            <details>
              <summary>
                <span className="budget-dot" data-section={part.section} />
                <span className="budget-name">{SECTION_NAMES[part.section]}</span>
                <span className="budget-tokens">{formatCount(part.tokens)}</span>
              </summary>
              <p>
                {toSentence(part.reason)}
                {part.budgetTokens !== undefined && ` Limit: ${formatCount(part.budgetTokens)} tokens.`}
              </p>
            </details>
          </li>
        ))}
        <li className="budget-rest">
          <span className="budget-dot budget-dot-free" />
          <span className="budget-name">Unused</span>
          <span className="budget-tokens">{formatCount(free)}</span>
        </li>
      </ul>
    </div>
  )
}

/** Whether the window is at least `px` pixels wide. */
function useIsWide(px: number): boolean {
  const query = `(min-width: ${px}px)`
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}
