import { useRemote } from 'recollect/react'
import { client } from '../../api/client.ts'
import type { ReceiptItem } from './sections.ts'

const MOST_CHARACTERS = 220

/** The text of a remembered item. Receipts store no text, so that erased text is gone from them too. */
export function Excerpt({ item }: { readonly item: ReceiptItem }) {
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
