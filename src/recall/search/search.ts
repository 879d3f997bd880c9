// Finding by words: exact, complete, newest first. (What belongs to a question though it has other words
// is the business of recall.)

import type { Conversation } from '../../domain/conversation.ts'
import type { ConversationId, WorkspaceId } from '../../domain/ids.ts'
import { type Message, readableText } from '../../domain/message.ts'
import type { ConversationHit, MessageHit, Paginated, SearchTerm } from '../../domain/search.ts'
import type { Store } from '../../store/store.ts'
import { makeSnippet } from './make-snippet.ts'
import { parseSearch } from './parse-search.ts'

interface Search {
  readonly workspace: WorkspaceId
  readonly text: string
  readonly conversation?: ConversationId
  readonly limit: number
  readonly cursor?: string
}

export async function searchMessages(
  store: Store,
  { text, ...search }: Search,
): Promise<Paginated<MessageHit>> {
  const terms = parseSearch(text)
  if (terms.length === 0) return { items: [] }
  const page = await store.searchMessages({ ...search, terms })
  return { ...page, items: page.items.map((message) => toHit(message, terms)) }
}

/** Conversations by title and tags. */
export async function searchConversations(
  store: Store,
  { text, ...search }: Search,
): Promise<Paginated<ConversationHit>> {
  const terms = parseSearch(text)
  if (terms.length === 0) return { items: [] }
  const page = await store.listConversations({ ...search, archived: 'with', terms })
  const toSnippet = ({ title = '', tags }: Conversation) => makeSnippet([title, ...tags].join(' '), terms)
  return {
    ...page,
    items: page.items.map((conversation) => ({ conversation, snippet: toSnippet(conversation) })),
  }
}

function toHit(message: Message, terms: readonly SearchTerm[]): MessageHit {
  return {
    conversationId: message.conversationId,
    messageId: message.id,
    position: message.position,
    createdAt: message.createdAt,
    snippet: makeSnippet(readableText(message.content), terms),
  }
}
