import { findWords } from '../../domain/words.ts'
import { hasHiddenWords, indexChunks } from './chunk-index.ts'
import type { Connection } from './connection.ts'
import { indexQueries } from './query-index.ts'
import { indexMessages } from './rebuild.ts'
import { dropLeftovers, type IndexEntry, removeEntry, rewrite } from './word-index.ts'

/** Taking an entry out of an index takes as long as putting so many in; of a longer text, fewer. */
const TIMES_AS_LONG = 60
const TIMES_AS_LONG_FOR_CHUNKS = 12

interface RemovedFrom {
  readonly index: 'message_words' | 'query_words' | 'chunk_words'
  /** What has an entry each. */
  readonly table: 'message' | 'query' | 'chunk'
  readonly timesAsLong: number
  readonly makeAnew: (connection: Connection) => void
}

/** What an erase takes out of one index: one by one, or, where that is quicker, by making it anew. */
class RemovedEntries {
  readonly #connection: Connection
  readonly #from: RemovedFrom
  readonly #words = new Set<string>()
  /** Then nothing has to be taken out. */
  isMadeAnew = false

  constructor(connection: Connection, from: RemovedFrom) {
    this.#connection = connection
    this.#from = from
  }

  /** How many will go. */
  expect(going: number): void {
    if (going === 0) return
    const sql = `SELECT count(*) AS count FROM ${this.#from.table}`
    const all = this.#connection.get<{ count: number }>(sql)?.count ?? 0
    this.isMadeAnew = going * this.#from.timesAsLong > all - going
  }

  /** For words that nobody knows any more: they leave the index only if it is made without them. */
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

/** What an erase takes out of the indexes of words. */
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

  /** How many chunks will go. Words of replaced versions may still be in the index: then they go too. */
  expectChunks(going: number): void {
    this.chunks.expect(going)
    if (going > 0 && hasHiddenWords(this.#connection)) this.chunks.makeAnew()
  }

  finish(): void {
    this.messages.finish()
    this.queries.finish()
    this.chunks.finish()
    // Small, and titles that were replaced long ago may have left something too.
    rewrite(this.#connection, 'conversation_words')
  }
}
