import { findWords } from '../../domain/words.ts'
import type { DocumentRow } from '../document-rows.ts'
import type { PageRow, QueryRow } from '../page-rows.ts'
import { type ConversationRow, parseContent } from '../rows.ts'
import type { ErasedCopy, Removals } from '../sql/engine.ts'
import { withWords } from './blocks.ts'
import { chunkEntry, hasHiddenWords, indexChunks, readChunkRows } from './chunk-index.ts'
import type { Connection } from './connection.ts'
import { indexMessages } from './message-index.ts'
import { indexQueries, queryEntry } from './query-index.ts'
import { dropLeftovers, type IndexEntry, messageEntry, removeEntry, rewrite } from './word-index.ts'

/** Removing an entry from an index takes as long as inserting this many; fewer for longer texts. */
const TIMES_AS_LONG = 60
const TIMES_AS_LONG_FOR_CHUNKS = 12

interface RemovedFrom {
  readonly index: 'message_words' | 'query_words' | 'chunk_words'
  /** The table with one row per entry. */
  readonly table: 'message' | 'query' | 'chunk'
  readonly timesAsLong: number
  readonly rebuild: (connection: Connection) => void
}

/** Removes entries from one index: one by one, or by rebuilding it if that is faster. */
class RemovedEntries {
  readonly #connection: Connection
  readonly #from: RemovedFrom
  readonly #words = new Set<string>()
  /** If set, entries need not be removed one by one. */
  isRebuilt = false

  constructor(connection: Connection, from: RemovedFrom) {
    this.#connection = connection
    this.#from = from
  }

  /** Takes the number of entries to be removed, and chooses the faster way. */
  expect(going: number): void {
    if (going === 0) return
    const sql = `SELECT count(*) AS count FROM ${this.#from.table}`
    const all = this.#connection.get<{ count: number }>(sql)?.count ?? 0
    this.isRebuilt = going * this.#from.timesAsLong > all - going
  }

  /** For words that are no longer known: only a rebuild removes them from the index. */
  rebuild(): void {
    this.isRebuilt = true
  }

  take(entry: IndexEntry): void {
    removeEntry(this.#connection, this.#from.index, entry)
    for (const { word } of findWords(entry.words)) this.#words.add(word)
  }

  finish(): void {
    if (this.isRebuilt) this.#from.rebuild(this.#connection)
    else if (this.#words.size > 0) dropLeftovers(this.#connection, this.#from.index, this.#words)
  }
}

/** Removes words from the indexes during an erase. */
class RemovedWords {
  readonly messages: RemovedEntries
  readonly queries: RemovedEntries
  readonly chunks: RemovedEntries
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
    this.messages = new RemovedEntries(connection, {
      index: 'message_words',
      table: 'message',
      timesAsLong: TIMES_AS_LONG,
      rebuild: indexMessages,
    })
    this.queries = new RemovedEntries(connection, {
      index: 'query_words',
      table: 'query',
      timesAsLong: TIMES_AS_LONG,
      rebuild: indexQueries,
    })
    this.chunks = new RemovedEntries(connection, {
      index: 'chunk_words',
      table: 'chunk',
      timesAsLong: TIMES_AS_LONG_FOR_CHUNKS,
      rebuild: indexChunks,
    })
  }

  /** Takes the number of chunks to be removed. If the index still has words of replaced versions, it is rebuilt. */
  expectChunks(going: number): void {
    this.chunks.expect(going)
    if (going > 0 && hasHiddenWords(this.#connection)) this.chunks.rebuild()
  }

  finish(): void {
    this.messages.finish()
    this.queries.finish()
    this.chunks.finish()
    // Always rewritten: it is small, and titles that were replaced earlier may have left traces.
    rewrite(this.#connection, 'conversation_words')
  }
}

/** The removals of the transaction in progress. */
const current = new WeakMap<Connection, RemovedWords>()

/** Runs an erase, and then removes the words that it has collected. */
export function removingWords<T>(connection: Connection, erase: () => T): T {
  const removed = new RemovedWords(connection)
  current.set(connection, removed)
  const result = erase()
  removed.finish()
  return result
}

const removedOf = (connection: Connection): RemovedWords => current.get(connection) as RemovedWords

const READ_AT_ONCE = 500

export function expectRemovals(connection: Connection, { messages, queries, chunks }: Removals): void {
  const removed = removedOf(connection)
  removed.messages.expect(messages)
  removed.queries.expect(queries)
  removed.expectChunks(chunks)
}

export function removeMessageWords(connection: Connection, message: ErasedCopy): void {
  const { messages } = removedOf(connection)
  if (message.is_damaged) messages.rebuild()
  else messages.take(messageEntry({ ...message, content: parseContent(message.content) }))
}

export function removeConversationWords(connection: Connection, row: ConversationRow): void {
  if (removedOf(connection).messages.isRebuilt) return
  for (let after = -1; ; ) {
    const rows = connection.all<ErasedCopy>(
      'SELECT * FROM message WHERE conversation = ? AND position > ? ORDER BY position LIMIT ?',
      row.number,
      after,
      READ_AT_ONCE,
    )
    for (const message of withWords(connection, rows))
      if (message.erased_at === null) removeMessageWords(connection, message)
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.position
  }
}

export function removePageWords(connection: Connection, page: PageRow): void {
  const { queries } = removedOf(connection)
  for (let after = -1; !queries.isRebuilt; ) {
    const rows = connection.all<QueryRow>(
      'SELECT * FROM query WHERE page = ? AND position > ? ORDER BY position LIMIT ?',
      page.number,
      after,
      READ_AT_ONCE,
    )
    for (const row of rows) queries.take(queryEntry(row))
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.position
  }
}

export function removeQueryWords(connection: Connection, row: QueryRow): void {
  removedOf(connection).queries.take(queryEntry(row))
}

export function removeChunkWords(connection: Connection, { number, workspace }: DocumentRow): void {
  const { chunks } = removedOf(connection)
  if (chunks.isRebuilt) return
  for (const chunk of readChunkRows(connection, number)) chunks.take(chunkEntry(chunk, workspace))
}
