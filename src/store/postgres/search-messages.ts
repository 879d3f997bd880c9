// Search returns newest messages first, in the order of recording, but the word index is sorted by locator. Within a
// conversation both orders are the same. Across a workspace there are two strategies: for a rare word, all messages
// are found and sorted; for a common one, conversations are searched one after the other, most recently appended
// first. As soon as a page is full of messages newer than the last message of the next conversation, the search is
// complete.
//
// A number here is that of a message row: the order of recording.

import { toLocator } from '../../domain/locator.ts'
import type { Message } from '../../domain/message.ts'
import type { Paginated } from '../../domain/search.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import { MESSAGE_COLUMNS, type MessageRow, toMessage } from '../rows.ts'
import { findRow } from '../sql/conversations.ts'
import { findWorkspace } from '../sql/workspaces.ts'
import type { MessageSearch } from '../store.ts'
import { withWords } from './blocks.ts'
import { execute } from './execute.ts'
import { EVERYWHERE, takeEntries } from './find-entries.ts'
import { findMessages, toGroups, toPlaceColumns } from './message-words.ts'
import { FROM_MESSAGE } from './messages.ts'
import type { Session } from './session.ts'

/** Finding and sorting this many takes about as long as searching some hundred conversations. */
const SORT_BELOW_HITS = 2000
/** Conversations looked up per statement. */
const CONVERSATIONS_AT_ONCE = 100
/** Messages of a conversation checked per batch. */
const MESSAGES_AT_ONCE = 200

/** A message that was found. */
interface FoundMessage {
  readonly number: number
  readonly place: number
}

/** Up to `count` messages recorded before `before`. */
interface Wanted {
  readonly workspace: number
  readonly terms: MessageSearch['terms']
  readonly before: number
  readonly count: number
}

export async function searchMessages(session: Session, search: MessageSearch): Promise<Paginated<Message>> {
  const [before = Number.MAX_SAFE_INTEGER] = search.cursor === undefined ? [] : readCursor(search.cursor, 1)
  const workspace = await execute(session, findWorkspace(search.workspace))
  if (workspace === undefined) return { items: [] }
  // One more than the limit, to detect whether there is another page.
  const wanted = { workspace, terms: search.terms, before, count: search.limit + 1 }
  const found = await findNewest(session, search, wanted)
  const shown = found.slice(0, search.limit)
  const last = shown.at(-1)
  const hasMore = found.length > search.limit && last !== undefined
  const items = await readFound(session, workspace, shown)
  return { items, ...(hasMore && { next: writeCursor([last.number]) }) }
}

async function readFound(
  session: Session,
  workspace: number,
  found: readonly FoundMessage[],
): Promise<readonly Message[]> {
  const rows = await session.all<MessageRow>(
    `SELECT ${MESSAGE_COLUMNS} ${FROM_MESSAGE}
     JOIN unnest($2::bigint[], $3::int[]) AS s (conversation, position)
       ON s.conversation = m.conversation AND s.position = m.position
     WHERE m.workspace = $1 ORDER BY m.number DESC`,
    workspace,
    ...toPlaceColumns(found.map(({ place }) => place)),
  )
  return (await withWords(session, workspace, rows)).map(toMessage)
}

async function findNewest(
  session: Session,
  search: MessageSearch,
  wanted: Wanted,
): Promise<readonly FoundMessage[]> {
  if (search.conversation !== undefined) {
    const key = { workspace: search.workspace, conversation: search.conversation }
    const row = await execute(session, findRow(key))
    return row === undefined ? [] : searchConversation(session, row.number, wanted)
  }
  const lookup = { workspace: wanted.workspace, groups: toGroups(wanted.terms), ranges: EVERYWHERE }
  const places = await takeEntries(
    findMessages(session, { ...lookup, wanted: SORT_BELOW_HITS + 1 }),
    SORT_BELOW_HITS + 1,
  )
  return places.length > SORT_BELOW_HITS ? searchInTurn(session, wanted) : findAmong(session, places, wanted)
}

/** The messages at these locators, newest first. */
async function findAmong(
  session: Session,
  places: readonly number[],
  { workspace, before, count }: Wanted,
): Promise<readonly FoundMessage[]> {
  const rows = await session.all<{ number: number; conversation: number; position: number }>(
    `SELECT m.number, m.conversation, m.position FROM unnest($2::bigint[], $3::int[]) AS s (conversation, position)
     JOIN message m ON m.workspace = $1 AND m.conversation = s.conversation AND m.position = s.position
     WHERE m.number < $4::bigint ORDER BY m.number DESC LIMIT $5`,
    workspace,
    ...toPlaceColumns(places),
    before,
    count,
  )
  return rows.map(({ number, conversation, position }) => ({
    number,
    place: toLocator(conversation, position),
  }))
}

async function searchConversation(
  session: Session,
  conversation: number,
  wanted: Wanted,
): Promise<readonly FoundMessage[]> {
  const range = { first: toLocator(conversation, 0), last: toLocator(conversation + 1, 0) - 1 }
  const lookup = { workspace: wanted.workspace, groups: toGroups(wanted.terms), ranges: [range] }
  const found: FoundMessage[] = []
  for await (const places of findMessages(session, { ...lookup, wanted: MESSAGES_AT_ONCE })) {
    found.push(...(await findAmong(session, places, wanted)))
    if (found.length >= wanted.count) break
  }
  return found.slice(0, wanted.count)
}

interface SearchedConversation {
  readonly number: number
  readonly last_message: number
}

/** Searches conversations by their last message, until none can have a newer match. */
async function searchInTurn(session: Session, wanted: Wanted): Promise<readonly FoundMessage[]> {
  let found: readonly FoundMessage[] = []
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const conversations = await session.all<SearchedConversation>(
      `SELECT number, last_message FROM conversation WHERE workspace = $1 AND last_message < $2::bigint
       ORDER BY last_message DESC LIMIT $3`,
      wanted.workspace,
      before,
      CONVERSATIONS_AT_ONCE,
    )
    for (const { number, last_message } of conversations) {
      const oldest = found[wanted.count - 1]
      if (oldest !== undefined && last_message < oldest.number) return found
      const more = await searchConversation(session, number, wanted)
      found = [...found, ...more].sort((a, b) => b.number - a.number).slice(0, wanted.count)
    }
    if (conversations.length < CONVERSATIONS_AT_ONCE) return found
    before = conversations.at(-1)?.last_message ?? 0
  }
}
