import { useRemote } from 'recollect/react'
import { client } from '../../api/client.ts'
import { formatCount } from '../../format.ts'
import { addressOf, Link } from '../../router.tsx'
import { Icon } from '../../ui/icon.tsx'
import { VerdictButtons } from '../feedback/verdict-buttons.tsx'
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

const MOST_CHARACTERS = 220

/** The text of a remembered item. Receipts store no text, so that erased text is gone from them too. */
function Excerpt({ item }: { readonly item: ReceiptItem }) {
  const { value, isLoading } = useRemote({
    name: `excerpt ${item.kind} ${item.id}`,
    read: () => readText(item),
  })
  if (value === undefined && isLoading) return <div className="skeleton why-excerpt-waiting" />
  if (value === undefined || value === '') return null
  return (
    <blockquote className="why-excerpt" dir="auto">
      {value.length > MOST_CHARACTERS ? `${value.slice(0, MOST_CHARACTERS)} …` : value}
    </blockquote>
  )
}

async function readText(item: ReceiptItem): Promise<string> {
  switch (item.kind) {
    case 'fact':
    case 'preference':
    case 'instruction':
      return readFact(item)
    case 'message':
      return readMessage(item)
    case 'note':
      return (
        (await client.notes.list({ limit: MOST_NOTES })).notes.find(({ id }) => id === item.id)?.text ?? ''
      )
    case 'block':
      return (await client.blocks.list()).blocks.find(({ name }) => name === item.id)?.text ?? ''
    case 'chunk':
      return readChunk(item.id)
    default:
      return ''
  }
}

const MOST_NOTES = 500

/** Preferences that were set by hand are not facts, and receipts don't store their names. */
async function readFact({ id, messageIds }: ReceiptItem): Promise<string> {
  if (/^\d+$/.test(id) && messageIds.length === 0) return ''
  const { subject, attribute, value } = await client.facts.get(id)
  return subject === 'user' ? `${attribute}: ${value}` : `${subject}, ${attribute}: ${value}`
}

async function readMessage({ conversationId, messageIds: [messageId] }: ReceiptItem): Promise<string> {
  if (conversationId === undefined || messageId === undefined) return ''
  const { content } = await client.conversation(conversationId).message(messageId)
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ')
}

/** A chunk id is `document:version:index`; it is gone when the document has a newer version. */
async function readChunk(id: string): Promise<string> {
  const [, document = '', place = '0'] = /^(.+):\d+:(\d+)$/s.exec(id) ?? []
  const query = { limit: 1, ...(place !== '0' && { after: Number(place) - 1 }) }
  const path = `/api/documents/${encodeURIComponent(document)}/chunks`
  const { chunks } = await client.request<{ chunks: readonly Chunk[] }>('GET', path, { query })
  return chunks.find((chunk) => chunk.id === id)?.text ?? ''
}

interface Chunk {
  readonly id: string
  readonly text: string
}
