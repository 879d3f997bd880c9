// Searches titles, tags and messages by words, and facts, notes, documents and summaries by meaning.

import type { Wire } from 'recollect/react'
import { client } from '../../api/client.ts'
import type { RecallAnswer } from '../../api/types.ts'
import { addressOf } from '../../router.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { findListed } from '../conversations/conversation-list.ts'
import { titleOf } from '../conversations/title-of.ts'
import type { Found, SearchFilter, Snippet } from './found.ts'

interface Search {
  readonly words: string
  readonly filter: SearchFilter
  /** Limits the search to this conversation. */
  readonly conversationId: string | undefined
  readonly signal: AbortSignal
}

export async function searchEverything(search: Search): Promise<readonly Found[]> {
  const { filter } = search
  const isWanted = (kind: SearchFilter) => filter === 'all' || filter === kind
  const found = await Promise.all([
    isWanted('chats') && search.conversationId === undefined ? findChats(search) : [],
    isWanted('messages') ? findMessages(search) : [],
    isWanted('knowledge') ? findKnowledge(search) : [],
  ])
  return found.flat()
}

/** Matches the last word as a prefix while the user types. */
const toQuery = (words: string): string => (/[\p{L}\p{N}]$/u.test(words) ? `${words}*` : words)

async function findChats({ words, filter, signal }: Search): Promise<readonly Found[]> {
  const limit = filter === 'all' ? 5 : 40
  const { hits } = await client.searchConversations({ q: toQuery(words), limit, signal })
  return hits.map(({ conversation, snippet }) => ({
    key: `chat ${conversation.id}`,
    group: 'Chats',
    icon: 'chat',
    title: titleOf(conversation),
    ...(snippet.text !== conversation.title && { snippet }),
    at: conversation.lastUsedAt,
    to: addressOf(conversation.id),
  }))
}

async function findMessages({ words, filter, conversationId, signal }: Search): Promise<readonly Found[]> {
  const limit = filter === 'all' ? 12 : 60
  const scope = conversationId === undefined ? {} : { conversationId }
  const { hits } = await client.searchMessages({ q: toQuery(words), limit, signal, ...scope })
  const titles = await findTitles(hits.map((hit) => hit.conversationId))
  return hits.map((hit) => ({
    key: `message ${hit.messageId}`,
    group: 'Messages',
    icon: 'chat',
    title: titles.get(hit.conversationId) ?? hit.conversationId,
    snippet: hit.snippet,
    at: hit.createdAt,
    to: addressOf(hit.conversationId, hit.messageId),
  }))
}

async function findTitles(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>()
  const read = [...new Set(ids)].map(async (id) => {
    const conversation = findListed(id) ?? (await client.conversation(id).get())
    titles.set(id, titleOf(conversation))
  })
  await Promise.all(read)
  return titles
}

type Recalled = Wire<RecallAnswer>['items'][number]

const ICONS: Readonly<Partial<Record<Recalled['kind'], IconName>>> = {
  fact: 'memory',
  note: 'tag',
  chunk: 'file',
  summary: 'book',
  query: 'search',
}
const NAMES: Readonly<Partial<Record<Recalled['kind'], string>>> = {
  fact: 'Fact',
  note: 'Note',
  chunk: 'Document',
  summary: 'Summary',
  query: 'Query',
}

async function findKnowledge({ words, filter, conversationId, signal }: Search): Promise<readonly Found[]> {
  const limit = filter === 'all' ? 5 : 20
  const scope = conversationId === undefined ? {} : { conversationId }
  const { items } = await client.recall(
    { query: words, kinds: ['fact', 'note', 'chunk', 'summary', 'query'], limit, ...scope },
    { signal },
  )
  return items.map((item) => ({
    key: `${item.kind} ${item.id}`,
    group: 'Memory',
    icon: ICONS[item.kind] ?? 'memory',
    title: item.source ?? NAMES[item.kind] ?? item.kind,
    snippet: markWords(item.text.slice(0, 240), words),
    at: item.createdAt,
    to: placeOf(item),
  }))
}

function placeOf({ kind, conversationId, messageIds }: Recalled): string {
  const [messageId] = messageIds
  if (conversationId !== undefined && messageId !== undefined) return addressOf(conversationId, messageId)
  return kind === 'chunk' ? '/memory/documents' : '/memory'
}

/** Highlights the words of the query in a text, at the start of words. */
function markWords(text: string, query: string): Snippet {
  const words = query.match(/[\p{L}\p{N}]{2,}/gu) ?? []
  if (words.length === 0) return { text, highlights: [] }
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})`, 'giu')
  const highlights = [...text.matchAll(pattern)].map((match) => [match.index, match.index + match[0].length])
  return { text, highlights }
}
