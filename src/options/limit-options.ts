// What is too large to be taken.

export interface LimitConfig {
  /** The largest message, as JSON. @default 4194304 */
  readonly messageBytes?: number
  /** The most messages recorded in one call. @default 10000 */
  readonly batchMessages?: number
  /** The most parts of one message. @default 1000 */
  readonly messageParts?: number
  /** The longest id of a conversation, message, workspace or document, the longest key, speaker name and tag. @default 200 */
  readonly idCharacters?: number
  /** The longest title. @default 300 */
  readonly titleCharacters?: number
  /** The most tags of a conversation, and the most attached documents. @default 100 */
  readonly tags?: number
  /** The largest metadata, as JSON. @default 65536 */
  readonly metadataBytes?: number
  /** How deep metadata, tool arguments and tool results may nest. @default 32 */
  readonly depth?: number
  /** How far ahead of this machine's clock a message's time may lie. @default 86400000 */
  readonly futureMs?: number
  /** The longest query of a page, and the longest SQL. @default 20000 */
  readonly queryCharacters?: number
  /** The longest response to a query. @default 200000 */
  readonly responseCharacters?: number
  /** How much of a query's results is kept, as JSON: of larger ones the first rows, and a note of how many there were. @default 65536 */
  readonly resultBytes?: number
  /** The most entities of a page, and the most preferences. @default 1000 */
  readonly pageKeys?: number
  /** The largest entities of a page, as JSON, and the largest preferences. @default 65536 */
  readonly pageBytes?: number
  /** The longest value of a fact that is added or changed. @default 500 */
  readonly factCharacters?: number
  /** The longest note. @default 2000 */
  readonly noteCharacters?: number
  /** The largest preference set by the application, as JSON. @default 4096 */
  readonly preferenceBytes?: number
  /** The largest conversation of another program that is imported, as JSON. @default 268435456 */
  readonly importBytes?: number
  /** The largest file that is taken as a document. @default 52428800 */
  readonly documentBytes?: number
  /** The most chunks of a document. @default 20000 */
  readonly documentChunks?: number
}

export type ResolvedLimits = Required<LimitConfig>

export const LIMIT_DEFAULTS: ResolvedLimits = Object.freeze({
  messageBytes: 4 * 1024 * 1024, // a book; files are references
  batchMessages: 10_000, // one transaction of about a second
  messageParts: 1000,
  idCharacters: 200,
  titleCharacters: 300,
  tags: 100,
  metadataBytes: 64 * 1024,
  depth: 32, // deeper is a loop or an attack
  futureMs: 86_400_000, // time zones mistaken for UTC stay within a day
  queryCharacters: 20_000, // ten pages of a pasted question, or SQL over dozens of tables
  responseCharacters: 200_000, // longer than any model answers
  resultBytes: 64 * 1024, // some hundred rows: a history is no copy of the data
  pageKeys: 1000,
  pageBytes: 64 * 1024, // loading a page reads it all, and should take no time
  factCharacters: 500, // a sentence; what is longer is a document
  noteCharacters: 2000, // two or three excerpts, about 500 tokens
  preferenceBytes: 4096, // settings, not files: all of them may go into a prompt
  importBytes: 256 * 1024 * 1024, // some hundred thousand messages; one at a time is held in memory
  documentBytes: 50 * 1024 * 1024, // a scanned book with its pictures
  documentChunks: 20_000, // five million tokens, longer than any book; one transaction of some seconds
})
