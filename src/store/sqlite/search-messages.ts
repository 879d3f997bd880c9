// Search returns the newest first, in the order of recording, but the word index is ordered by place. Within a
// conversation the two orders are the same. For a workspace there are two ways:
//
//  1. For a rare word, all matching messages are found and sorted.
//  2. For a common word, conversations are searched one after the other, the most recently appended first. Once a
//     page is full of messages newer than the last one of the next conversation, no remaining conversation has
//     anything newer. Every conversation searched has a message newer than the last of the page, so there are fewHits
//     of them; if there are many after all, only those that contain the word are searched in the end.
//
// A number here is the row number of a message: the order of recording.

import { type MessageLocator, toLocator } from '../../domain/locator.ts'
import type { Message } from '../../domain/message.ts'
import type { Paginated } from '../../domain/search.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import { MESSAGE_COLUMNS, type MessageRow, toMessage } from '../rows.ts'
import { findRow } from '../sql/conversations.ts'
import { findWorkspace } from '../sql/workspaces.ts'
import type { MessageSearch } from '../store.ts'
import { withWords } from './blocks.ts'
import type { Connection } from './connection.ts'
import { execute } from './dialect.ts'
import { type Hits, hitsOf, lazyHits } from './search-hits.ts'

/** Sorting this many messages takes less time than searching the first conversations. */
const SORT_ALL_BELOW_HITS = 300
/** Sorting this many takes 10 ms, about as long as searching a hundred conversations. */
const SORT_AFTER_NEWEST_BELOW_HITS = 6000
/** Conversations searched first. It takes about a millisecond and is usually enough. */
const NEWEST_CONVERSATIONS = 20
/**
 * Searching this many takes as long as finding the conversations with a word that is in half of a million messages.
 */
const NEXT_CONVERSATIONS = 500

interface SearchedConversation {
  readonly number: number
  readonly message_count: number
  /** The number of its last message; null if it is empty. */
  readonly last_message: number | null
}

const lastOf = ({ last_message }: SearchedConversation): number => last_message ?? 0

/** `count` messages recorded before `before`. */
interface Wanted {
  readonly before: number
  readonly count: number
}

export function searchMessages(connection: Connection, search: MessageSearch): Paginated<Message> {
  const [before = Number.MAX_SAFE_INTEGER] = search.cursor === undefined ? [] : readCursor(search.cursor, 1)
  return connection.snapshot(() => {
    // One more than the limit, to know whether there is another page.
    const numbers = findNumbers(connection, search, { before, count: search.limit + 1 })
    const rows = readRows(connection, numbers.slice(0, search.limit))
    const last = rows.at(-1)
    const hasMore = numbers.length > search.limit && last !== undefined
    const items = withWords(connection, rows).map(toMessage)
    return { items, ...(hasMore && { next: writeCursor([last.number]) }) }
  })
}

function readRows(connection: Connection, numbers: readonly number[]): MessageRow[] {
  return connection.all<MessageRow>(
    `SELECT ${MESSAGE_COLUMNS} FROM json_each(?) s CROSS JOIN message m ON m.number = s.value
     CROSS JOIN conversation c ON c.number = m.conversation`,
    JSON.stringify(numbers),
  )
}

/** Newest first. */
function findNumbers(connection: Connection, search: MessageSearch, wanted: Wanted): readonly number[] {
  if (search.conversation === undefined) return findInWorkspace(connection, search, wanted)
  const asked = execute(
    connection,
    findRow({ workspace: search.workspace, conversation: search.conversation }),
  )
  if (asked === undefined) return []
  return searchConversation(connection, lazyHits(connection, search.terms), { asked, wanted })
}

function findInWorkspace(connection: Connection, search: MessageSearch, wanted: Wanted): readonly number[] {
  const workspace = execute(connection, findWorkspace(search.workspace))
  if (workspace === undefined) return []
  const only = findOnly(connection, workspace)
  if (only !== undefined)
    return searchConversation(connection, lazyHits(connection, search.terms), { asked: only, wanted })
  const hits = hitsOf(connection, search.terms)
  const fewHits = hits.upTo(SORT_ALL_BELOW_HITS)
  if (fewHits !== undefined) return findAmong(connection, fewHits, { workspace, wanted })
  const newest = listByLast(connection, workspace, NEWEST_CONVERSATIONS + 1)
  const first = searchInTurn(connection, hits, {
    conversations: newest,
    most: NEWEST_CONVERSATIONS,
    wanted,
    found: [],
  })
  if (first.isSettled) return first.found
  const moreHits = hits.upTo(SORT_AFTER_NEWEST_BELOW_HITS)
  if (moreHits !== undefined) return findAmong(connection, moreHits, { workspace, wanted })
  const conversations = listByLast(connection, workspace, -1).slice(NEWEST_CONVERSATIONS)
  const next = searchInTurn(connection, hits, { ...first, conversations, most: NEXT_CONVERSATIONS, wanted })
  if (next.isSettled) return next.found
  const having = hits.conversations()
  const left = conversations.slice(NEXT_CONVERSATIONS).filter(({ number }) => having.has(number))
  return searchInTurn(connection, hits, { ...next, conversations: left, most: left.length, wanted }).found
}

/** The conversation of a workspace that has only one. */
function findOnly(connection: Connection, workspace: number): SearchedConversation | undefined {
  const [only, ...others] = connection.all<SearchedConversation>(
    `SELECT number, message_count, last_message FROM conversation
     WHERE workspace = ? AND last_message IS NOT NULL LIMIT 2`,
    workspace,
  )
  return others.length === 0 ? only : undefined
}

/** Searches the messages at these places. */
function findAmong(
  connection: Connection,
  places: readonly MessageLocator[],
  { workspace, wanted }: { readonly workspace: number; readonly wanted: Wanted },
): readonly number[] {
  const rows = connection.all<{ number: number }>(
    `SELECT m.number FROM json_each(?) s
     CROSS JOIN conversation c ON c.number = s.value >> 24 AND c.workspace = ?
     CROSS JOIN message m ON m.conversation = c.number AND m.position = s.value & 0xffffff
     WHERE m.number < ? ORDER BY m.number DESC LIMIT ?`,
    JSON.stringify(places),
    workspace,
    wanted.before,
    wanted.count,
  )
  return rows.map(({ number }) => number)
}

interface Turn {
  readonly conversations: readonly SearchedConversation[]
  /** Maximum number of conversations to search. */
  readonly most: number
  readonly wanted: Wanted
  /** Numbers found in conversations that were searched before. */
  readonly found: readonly number[]
}

/**
 * The newest messages found in these conversations and before; settled if no other conversation has anything newer.
 */
function searchInTurn(
  connection: Connection,
  hits: Hits,
  { conversations, most, wanted, ...before }: Turn,
): { readonly found: readonly number[]; readonly isSettled: boolean } {
  let found = before.found
  for (const [turn, asked] of conversations.entries()) {
    const oldest = found[wanted.count - 1]
    if (oldest !== undefined && lastOf(asked) < oldest) break
    if (turn === most) return { found, isSettled: false }
    const more = searchConversation(connection, hits, { asked, wanted })
    found = [...found, ...more].sort((a, b) => b - a).slice(0, wanted.count)
  }
  return { found, isSettled: true }
}

/** Most recently appended first. */
function listByLast(
  connection: Connection,
  workspace: number,
  limit: number,
): readonly SearchedConversation[] {
  const row = connection.get<{ list: string }>(
    `SELECT json_group_array(json_object('number', number, 'message_count', message_count,
       'last_message', last_message)) AS list FROM (
         SELECT number, message_count, last_message FROM conversation
         WHERE workspace = ? AND last_message IS NOT NULL ORDER BY last_message DESC LIMIT ?)`,
    workspace,
    limit,
  )
  return JSON.parse(row?.list ?? '[]')
}

/** Within a conversation, a higher place was recorded later. */
function searchConversation(
  connection: Connection,
  hits: Hits,
  { asked, wanted }: { readonly asked: SearchedConversation; readonly wanted: Wanted },
): readonly number[] {
  const end = findEnd(connection, asked, wanted.before)
  const places = hits.within({
    first: toLocator(asked.number, 0),
    end: toLocator(asked.number, end),
    count: wanted.count,
  })
  const rows = connection.all<{ number: number }>(
    `SELECT m.number FROM json_each(?) s
     CROSS JOIN message m ON m.conversation = ? AND m.position = s.value & 0xffffff`,
    JSON.stringify(places),
    asked.number,
  )
  return rows.map(({ number }) => number)
}

/** The number of messages of the conversation that were recorded before. */
function findEnd(connection: Connection, asked: SearchedConversation, before: number): number {
  const numberAt = (position: number) =>
    connection.get<{ number: number }>(
      'SELECT number FROM message WHERE conversation = ? AND position = ?',
      asked.number,
      position,
    )?.number ?? Number.MAX_SAFE_INTEGER
  if (lastOf(asked) < before) return asked.message_count
  let low = 0
  for (let high = asked.message_count; low < high; ) {
    const middle = Math.floor((low + high) / 2)
    if (numberAt(middle) < before) low = middle + 1
    else high = middle
  }
  return low
}
