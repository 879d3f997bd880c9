import { findWords } from '../../domain/words.ts'
import type { Connection } from './connection.ts'
import { indexQueries } from './query-index.ts'
import { indexMessages } from './rebuild.ts'
import { dropLeftovers, type IndexEntry, removeEntry, rewrite } from './word-index.ts'

/** Taking an entry out of an index takes as long as putting so many in. */
const TIMES_AS_LONG = 60

interface RemovedFrom {
  readonly index: 'message_words' | 'query_words'
  /** What has an entry each. */
  readonly table: 'message' | 'query'
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
    this.isMadeAnew = going * TIMES_AS_LONG > all - going
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
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
    this.messages = new RemovedEntries(connection, {
      index: 'message_words',
      table: 'message',
      makeAnew: indexMessages,
    })
    this.queries = new RemovedEntries(connection, {
      index: 'query_words',
      table: 'query',
      makeAnew: indexQueries,
    })
  }

  finish(): void {
    this.messages.finish()
    this.queries.finish()
    // Small, and titles that were replaced long ago may have left something too.
    rewrite(this.#connection, 'conversation_words')
  }
}
