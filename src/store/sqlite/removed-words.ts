import { findWords } from '../../domain/words.ts'
import type { Connection } from './connection.ts'
import { indexMessages } from './rebuild.ts'
import { dropLeftovers, type IndexEntry, removeEntry, rewrite } from './word-index.ts'

/** Taking a message out of the index takes as long as putting so many in. */
const TIMES_AS_LONG = 60

/** What an erase takes out of the index of messages: one by one, or, where that is quicker, by making it anew. */
export class RemovedWords {
  readonly #connection: Connection
  readonly #words = new Set<string>()
  /** Then nothing has to be taken out. */
  isMadeAnew = false

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** How many messages will go. */
  expect(going: number): void {
    const all = this.#connection.get<{ count: number }>('SELECT count(*) AS count FROM message')?.count ?? 0
    this.isMadeAnew = going * TIMES_AS_LONG > all - going
  }

  /** For words that nobody knows any more: they leave the index only if it is made without them. */
  makeAnew(): void {
    this.isMadeAnew = true
  }

  take(entry: IndexEntry): void {
    removeEntry(this.#connection, 'message_words', entry)
    for (const { word } of findWords(entry.words)) this.#words.add(word)
  }

  finish(): void {
    if (this.isMadeAnew) indexMessages(this.#connection)
    else dropLeftovers(this.#connection, 'message_words', this.#words)
    // Small, and titles that were replaced long ago may have left something too.
    rewrite(this.#connection, 'conversation_words')
  }
}
