// Maximum sizes of input. Larger input is rejected with an `invalid-input` error.

export interface LimitConfig {
  /** Maximum size of a message as JSON. @default 4194304 */
  readonly messageBytes?: number
  /** Maximum messages recorded in one call. @default 10000 */
  readonly batchMessages?: number
  /** Maximum size of a document file. @default 52428800 */
  readonly documentBytes?: number
}

export interface LimitConstants {
  /** Maximum parts of one message. */
  readonly messageParts: number
  /** Maximum length of ids (conversation, message, workspace, document), keys, speaker names and tags. */
  readonly idCharacters: number
  readonly titleCharacters: number
  /** Maximum tags of a conversation, and maximum attached documents. */
  readonly tags: number
  /** Maximum length of the value of a fact that is added or updated. */
  readonly factCharacters: number
  /** Maximum size of metadata as JSON. */
  readonly metadataBytes: number
  /** Maximum size of one conversation imported from another program, as JSON. */
  readonly importBytes: number
  /** How much of a query's results is kept, as JSON: of larger results the first rows and the total count. */
  readonly resultBytes: number
  /** Maximum chunks of a document. */
  readonly documentChunks: number
  /** Maximum length of a note. */
  readonly noteCharacters: number
  /** Maximum length of a memory block. */
  readonly blockCharacters: number
  /** Maximum size of a preference set by the application, as JSON. */
  readonly preferenceBytes: number
  /** Maximum entities of a page, and maximum preferences. */
  readonly pageKeys: number
  /** Maximum size of a page's entities as JSON, and of its preferences. */
  readonly pageBytes: number
  /** Maximum length of a page's query, and of its SQL. */
  readonly queryCharacters: number
  /** Maximum length of the response to a query. */
  readonly responseCharacters: number
  /** Maximum nesting of metadata, tool inputs and tool outputs. */
  readonly depth: number
  /** How far a message's time may be ahead of this machine's clock. */
  readonly futureMs: number
}

export type ResolvedLimits = Required<LimitConfig> & LimitConstants

export const LIMIT_DEFAULTS: Required<LimitConfig> = Object.freeze({
  messageBytes: 4 * 1024 * 1024, // a book; files are references
  batchMessages: 10_000, // one transaction of about a second
  documentBytes: 50 * 1024 * 1024, // a scanned book with its pictures
})

export const LIMIT_CONSTANTS: LimitConstants = Object.freeze({
  messageParts: 1000,
  idCharacters: 200,
  titleCharacters: 300,
  tags: 100,
  factCharacters: 500, // a sentence; longer text is a document
  metadataBytes: 64 * 1024,
  importBytes: 256 * 1024 * 1024, // some hundred thousand messages; one at a time is held in memory
  resultBytes: 64 * 1024, // some hundred rows: the history is not a copy of the data
  documentChunks: 20_000, // five million tokens, longer than any book; one transaction of some seconds
  noteCharacters: 2000, // two or three excerpts, about 500 tokens
  blockCharacters: 1000, // about 250 tokens: every context includes it
  preferenceBytes: 4096, // settings, not files: all of them may go into a prompt
  pageKeys: 1000,
  pageBytes: 64 * 1024, // loading a page reads it all, and should take no time
  queryCharacters: 20_000, // ten pages of a pasted question, or SQL over dozens of tables
  responseCharacters: 200_000, // longer than any model answers
  depth: 32, // deeper is a loop or an attack
  futureMs: 86_400_000, // time zones mistaken for UTC stay within a day
})
