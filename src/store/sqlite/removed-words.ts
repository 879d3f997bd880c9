import { findWords } from '../../domain/words.ts'
import { hasHiddenWords, indexChunks } from './chunk-index.ts'
import type { Connection } from './connection.ts'
import { indexQueries } from './query-index.ts'
import { indexMessages } from './rebuild.ts'
import { dropLeftovers, type IndexEntry, removeEntry, rewrite } from './word-index.ts'

/** Removing an entry from an index takes as long as inserting this many; fewer for longer texts. */
const TIMES_AS_LONG = 60
const TIMES_AS_LONG_FOR_CHUNKS = 12

interface RemovedFrom {
  readonly index: 'message_words' | 'query_words' | 'chunk_words'
  /** The table with one row per entry. */
  readonly table: 'message' | 'query' | 'chunk'
  readonly timesAsLong: number
  readonly makeAnew: (connection: Connection) => void
}

/** Removes entries from one index: one by one, or by rebuilding it if that is faster. */
class RemovedEntries {
  readonly #connection: Connection
  readonly #from: RemovedFrom
  readonly #words = new Set<string>()
  /** If set, entries need not be removed one by one. */
  isMadeAnew = false

  constructor(connection: Connection, from: RemovedFrom) {
    this.#connection = connection
    this.#from = from
  }

  /** Takes the number of entries to be removed, and chooses the faster way. */
  expect(going: number): void {
    if (going === 0) return
    const sql = `SELECT count(*) AS count FROM ${this.#from.table}`
    const all = this.#connection.get<{ count: number }>(sql)?.count ?? 0
    this.isMadeAnew = going * this.#from.timesAsLong > all - going
  }

  /** For words that are no longer known: only a rebuild removes them from the index. */
  makeAnew(): void {
    this.isMadeAnew = true
  }

  take(entry: IndexEntry): void {
    removeEntry(this.#connection, this.#from.index, entry)
    for (const { word } of findWords(entry.words)) this.#words.add(word)
  }

  finish(): void {
    if (this.isMadeAnew) this.#from.makeAnew(this.#connection)
    else if (this.#words.size > 0) dropLeftovers(this.#connection, this.#from.index, this.#words)
  }
}

/** Removes words from the indexes during an erase. */
export class RemovedWords {
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
      makeAnew: indexMessages,
    })
    this.queries = new RemovedEntries(connection, {
      index: 'query_words',
      table: 'query',
      timesAsLong: TIMES_AS_LONG,
      makeAnew: indexQueries,
    })
    this.chunks = new RemovedEntries(connection, {
      index: 'chunk_words',
      table: 'chunk',
      timesAsLong: TIMES_AS_LONG_FOR_CHUNKS,
      makeAnew: indexChunks,
    })
  }

  /** Takes the number of chunks to be removed. If the index still has words of replaced versions, it is rebuilt. */
  expectChunks(going: number): void {
    this.chunks.expect(going)
    if (going > 0 && hasHiddenWords(this.#connection)) this.chunks.makeAnew()
  }

  finish(): void {
    this.messages.finish()
    this.queries.finish()
    this.chunks.finish()
    // Always rewritten: it is small, and titles that were replaced earlier may have left traces.
    rewrite(this.#connection, 'conversation_words')
  }
}
