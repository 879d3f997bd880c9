// Full-text search: exact and complete, newest first. (Recall is the ranked search that also finds other wordings.)

import type { Conversation } from '../../domain/conversation.ts'
import { definedFields } from '../../domain/defined-fields.ts'
import type { ConversationId, WorkspaceId } from '../../domain/ids.ts'
import { type Message, readableText } from '../../domain/message.ts'
import { isSaid } from '../../domain/recollect-metadata.ts'
import type { ConversationHit, MessageHit, Paginated, SearchTerm } from '../../domain/search.ts'
import { findWords } from '../../domain/words.ts'
import type { Store } from '../../store/store.ts'
import { makeSnippet } from './make-snippet.ts'

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
  for (let cursor = search.cursor; ; ) {
    const page = await store.searchMessages({ ...search, terms, ...definedFields({ cursor }) })
    // Answers composed from memory repeat what others said.
    const items = page.items.filter(isSaid).map((message) => toHit(message, terms))
    if (items.length > 0 || page.next === undefined) return { ...page, items }
    cursor = page.next
  }
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

/** Longer queries are pasted text; their first words are enough.  */
const MAX_TERMS = 32

const PIECE = /"([^"]*)"?|(\S+)/gu

/**
 * Parses a search box: words that must all match, "quoted phrases", and prefixes (`lis*`). The last word is a prefix
 * too, because the user may still be typing. Anything else is ignored.
 */
export function parseSearch(text: string): readonly SearchTerm[] {
  const terms: SearchTerm[] = []
  for (const [, phrase, bare] of text.matchAll(PIECE)) {
    const words = findWords(phrase ?? bare ?? '').map(({ word }) => word)
    if (words.length > 0) terms.push({ words, isPrefix: bare?.endsWith('*') ?? false })
  }
  const last = terms.at(-1)
  // A single letter matches too much, except in scripts such as Chinese where it can be a word.
  const isTyping = last !== undefined && /(?:[\p{L}\p{M}\p{N}]{2}|[^ -~])$/u.test(text)
  if (isTyping) terms[terms.length - 1] = { ...last, isPrefix: true }
  return terms.slice(0, MAX_TERMS)
}
