import { useRemote } from 'recollect/react'
import { client } from '../../api/client.ts'
import type { ReceiptItem } from './sections.ts'

const MOST_CHARACTERS = 220

/** The words of what was remembered. A receipt has none, so that what is erased is gone from it, too. */
export function Excerpt({ item }: { readonly item: ReceiptItem }) {
  const { value, isLoading } = useRemote({
    name: `excerpt ${item.kind} ${item.id}`,
    read: () => readWords(item),
  })
  if (value === undefined && isLoading) return <div className="skeleton why-excerpt-waiting" />
  if (value === undefined || value === '') return null
  return (
    <blockquote className="why-excerpt" dir="auto">
      {value.length > MOST_CHARACTERS ? `${value.slice(0, MOST_CHARACTERS)} …` : value}
    </blockquote>
  )
}

async function readWords(item: ReceiptItem): Promise<string> {
  const { kind, id, conversationId, messageIds } = item
  if (kind === 'fact' || kind === 'preference' || kind === 'instruction') {
    const { subject, attribute, value } = await client.facts.get(id)
    return subject === 'user' ? `${attribute}: ${value}` : `${subject}, ${attribute}: ${value}`
  }
  const [messageId] = messageIds
  if (kind === 'message' && conversationId !== undefined && messageId !== undefined) {
    const { content } = await client.conversation(conversationId).message(messageId)
    if (typeof content === 'string') return content
    return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ')
  }
  return ''
}
