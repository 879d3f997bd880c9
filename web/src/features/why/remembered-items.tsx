import { formatCount } from '../../format.ts'
import { addressOf, Link } from '../../router.tsx'
import { Icon } from '../../ui/icon.tsx'
import { VerdictButtons } from '../feedback/verdict-buttons.tsx'
import { Excerpt } from './excerpt.tsx'
import { KIND_NAMES, type Receipt, type ReceiptItem } from './sections.ts'

export function RememberedItems({ receipt }: { readonly receipt: Receipt }) {
  const found = receipt.parts.flatMap(({ section, items = [] }) => items.map((item) => ({ section, item })))
  if (found.length === 0)
    return (
      <p className="why-none">Nothing. The chat itself was enough, or there is nothing to remember yet.</p>
    )
  return (
    <ol className="why-items">
      {found.map(({ section, item }) => (
        <li key={`${section} ${item.kind} ${item.id}`} className="why-item">
          <Item item={item} section={section} />
        </li>
      ))}
    </ol>
  )
}

function Item({ item, section }: { readonly item: ReceiptItem; readonly section: string }) {
  const [messageId] = item.messageIds
  const { conversationId } = item
  return (
    <>
      <header className="why-item-head">
        <span className="budget-dot" data-section={section} />
        <strong>{KIND_NAMES[item.kind]}</strong>
        <span className="why-item-tokens">{formatCount(item.tokens)} tokens</span>
        {item.score !== undefined && (
          <meter
            className="score"
            min={0}
            max={1}
            value={item.score}
            title={`Score ${item.score.toFixed(2)}`}
          >
            {item.score.toFixed(2)}
          </meter>
        )}
      </header>
      <Excerpt item={item} />
      <ul className="reasons">
        {item.reasons.map(({ text, score, signal = '' }) => (
          <li key={signal + text} className="reason">
            {text}
            {score !== undefined && <span className="reason-score">{signed(score)}</span>}
          </li>
        ))}
        {item.isCut === true && <li className="reason">shortened to fit</li>}
      </ul>
      <footer className="why-item-foot">
        {conversationId !== undefined && messageId !== undefined && (
          <Link to={addressOf(conversationId, messageId)} className="why-jump">
            Go to message
            <Icon name="external" size={13} />
          </Link>
        )}
        {messageId === undefined && <ToPart item={item} />}
        <ItemVerdict item={item} />
      </footer>
    </>
  )
}

const PARTS: Readonly<Partial<Record<ReceiptItem['kind'], readonly [string, string]>>> = {
  chunk: ['/memory/documents', 'Go to documents'],
  note: ['/memory/notes', 'Go to notes'],
  preference: ['/memory/preferences', 'Go to preferences'],
}

/** Links to the memory page for items that have no source message. */
function ToPart({ item }: { readonly item: ReceiptItem }) {
  const [to, text] = PARTS[item.kind] ?? []
  if (to === undefined) return null
  return (
    <Link to={to} className="why-jump">
      {text}
      <Icon name="external" size={13} />
    </Link>
  )
}

const signed = (score: number): string => `${score < 0 ? '−' : '+'}${Math.abs(score).toFixed(2)}`

const JUDGED = ['message', 'fact', 'summary', 'note', 'chunk', 'query'] as const

function ItemVerdict({ item }: { readonly item: ReceiptItem }) {
  const kind = JUDGED.find((one) => one === item.kind)
  if (kind === undefined) return null
  return (
    <span className="why-verdict">
      <VerdictButtons
        item={{ kind, id: item.id }}
        helpfulLabel="This helped"
        unhelpfulLabel="This didn’t help"
      />
    </span>
  )
}
