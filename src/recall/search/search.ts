// Full-text search: exact and complete, newest first. (Recall is the ranked search that also finds other wordings.)

import type { Conversation } from '../../domain/conversation.ts'
import { definedFields } from '../../domain/defined-fields.ts'
import type { ConversationId, WorkspaceId } from '../../domain/ids.ts'
import { type Message, readableText } from '../../domain/message.ts'
import { isSaid } from '../../domain/recollect-metadata.ts'
import type { ConversationHit, MessageHit, Paginated, SearchTerm, Snippet } from '../../domain/search.ts'
import { findWords, type Word } from '../../domain/words.ts'
import type { Store } from '../../store/store.ts'

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

/** About two lines of a terminal or a list. */
const SNIPPET_CHARACTERS = 160
/** Shown before the first hit. */
const LEAD_CHARACTERS = 30
/** With more hits than this, any part of the text will do. */
const MAX_HITS = 100

type Span = readonly [start: number, end: number]

/** The part of the text with the most hits, cut at words, with the hits marked. */
export function makeSnippet(text: string, terms: readonly SearchTerm[]): Snippet {
  const words = findWords(text)
  const hits = findHits(words, terms)
  const [from, to] = bestWindow(text, words, hits)
  const before = from > 0 ? '…' : ''
  const after = to < text.length ? '…' : ''
  // Control characters become spaces one for one, so that offsets stay valid.
  const cut = text.slice(from, to).replaceAll(/\p{Cc}/gu, ' ')
  const inside = hits.filter(([start, end]) => start >= from && end <= to)
  const shift = before.length - from
  return {
    text: before + cut + after,
    highlights: inside.map(([start, end]): Span => [start + shift, end + shift]),
  }
}

function findHits(words: readonly Word[], terms: readonly SearchTerm[]): Span[] {
  const hits: Span[] = []
  for (let i = 0; i < words.length; i++) {
    const matched = terms.find((term) => matchesAt(words, i, term))
    const [first, last] = [words[i], words[i + (matched?.words.length ?? 1) - 1]]
    if (matched === undefined || first === undefined || last === undefined) continue
    hits.push([first.start, last.end])
    i += matched.words.length - 1
  }
  return hits
}

function matchesAt(words: readonly Word[], at: number, term: SearchTerm): boolean {
  return term.words.every((wanted, i) => {
    const found = words[at + i]?.word
    const isPrefix = term.isPrefix && i === term.words.length - 1
    return isPrefix ? found?.startsWith(wanted) : found === wanted
  })
}

function bestWindow(text: string, words: readonly Word[], hits: readonly Span[]): Span {
  if (text.length <= SNIPPET_CHARACTERS) return [0, text.length]
  const start = Math.max(0, firstOfDensest(hits) - LEAD_CHARACTERS)
  const from = start === 0 ? 0 : (words.find((word) => word.start >= start)?.start ?? start)
  const end = words.findLast((word) => word.end <= from + SNIPPET_CHARACTERS)?.end ?? 0
  return [from, end > from ? end : Math.min(text.length, from + SNIPPET_CHARACTERS)]
}

/** The start of the densest group of hits. */
function firstOfDensest(hits: readonly Span[]): number {
  const countFrom = ([start]: Span) =>
    hits.filter(([from, to]) => from >= start && to - start <= SNIPPET_CHARACTERS).length
  const counts = hits.slice(0, MAX_HITS).map(countFrom)
  return hits[counts.indexOf(Math.max(...counts))]?.[0] ?? 0
}
