// The word index. It is contentless, with no copy of the text: to remove a row, the same words must be passed in
// again, which is possible because messages are immutable and their words a function of the text.
//
// Removing words must leave no trace in the file. FTS5's secure-delete removes them from the leaf pages, but the
// first word of a leaf may also be stored, shortened, in the table of leaves (`_idx`), where it stays.
// `dropLeftovers` finds such remains and rewrites the index.

import { toLocator } from '../../domain/locator.ts'
import { type Content, readableText } from '../../domain/message.ts'
import type { SearchTerm } from '../../domain/search.ts'
import { indexableWords, MAX_WORD_CHARACTERS } from '../../domain/words.ts'
import { askedGroups } from '../word-groups.ts'
import type { Connection } from './connection.ts'

export type IndexName = 'message_words' | 'conversation_words' | 'query_words' | 'chunk_words'

interface IndexedMessage {
  readonly content: Content
  readonly workspace: number
  readonly conversation: number
  readonly position: number
}

interface IndexedConversation {
  readonly number: number
  readonly title: string | null
  readonly tags: string
  readonly workspace: number
}

/** One row of the index. */
export interface IndexEntry {
  readonly number: number
  /** Folded words, or plain text that the tokenizer folds itself. */
  readonly words: string
  readonly scope: string
}

/** Keyed by locator: a conversation is a range of row numbers, and each entry gives the position of its message. */
export function messageEntry({ content, workspace, conversation, position }: IndexedMessage): IndexEntry {
  const words = toIndexed(readableText(content))
  return { number: toLocator(conversation, position), words, scope: `w${workspace}` }
}

export function conversationEntry(conversation: IndexedConversation): IndexEntry {
  const tags: string[] = JSON.parse(conversation.tags)
  const words = toIndexed([conversation.title ?? '', ...tags].join(' '))
  return { number: conversation.number, words, scope: `w${conversation.workspace}` }
}

const ADD: Readonly<Record<IndexName, string>> = {
  message_words: 'INSERT INTO message_words (rowid, words, scope) VALUES (?, ?, ?)',
  conversation_words: 'INSERT INTO conversation_words (rowid, words, scope) VALUES (?, ?, ?)',
  query_words: 'INSERT INTO query_words (rowid, words, scope) VALUES (?, ?, ?)',
  chunk_words: 'INSERT INTO chunk_words (rowid, words, scope) VALUES (?, ?, ?)',
}

/** FTS5's `ascii` tokenizer splits and folds plain ASCII exactly like `findWords`, only faster. */
export function toIndexed(text: string): string {
  return isPlain(text) ? text : indexableWords(text)
}

/** Printable ASCII and line breaks, without words so long that `findWords` would cut them. */
function isPlain(text: string): boolean {
  return !NOT_PLAIN.test(text) && !hasLongWord(text)
}

const NOT_PLAIN = /[^\t-~]/

/** A word that is too long covers one of the sampled positions, wherever it is. */
function hasLongWord(text: string): boolean {
  for (let at = MAX_WORD_CHARACTERS; at < text.length; at += MAX_WORD_CHARACTERS + 1) {
    let before = at
    while (isInWord(text, before)) before -= 1
    let end = at
    while (isInWord(text, end)) end += 1
    if (end - before > MAX_WORD_CHARACTERS + 1) return true
  }
  return false
}

function isInWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  const letter = code | 32
  return (letter >= 97 && letter <= 122) || (code >= 48 && code <= 57)
}

export function addEntry(connection: Connection, index: IndexName, entry: IndexEntry): void {
  connection.run(ADD[index], entry.number, entry.words, entry.scope)
}

export function removeEntry(connection: Connection, index: IndexName, entry: IndexEntry): void {
  connection.run(
    `INSERT INTO ${index} (${index}, rowid, words, scope) VALUES ('delete', ?, ?, ?)`,
    entry.number,
    entry.words,
    entry.scope,
  )
}

/** An FTS5 query for all terms. Words are folded, so they contain no quotes. */
export function toMatch(terms: readonly SearchTerm[]): string {
  const asked = terms.map(({ words, isPrefix }) => `"${words.join(' ')}"${isPrefix ? ' *' : ''}`)
  return `words : (${asked.join(' AND ')})`
}

/** The same query within one workspace. */
export const matchInWorkspace = (match: string, workspace: number): string =>
  `scope : w${workspace} AND ${match}`

/** An FTS5 query for a word of every group; undefined if no message can match. */
export function matchGroups(groups: readonly (readonly string[])[]): string | undefined {
  const asked = askedGroups(groups)
  if (asked === undefined) return undefined
  const clauses = asked.map((group) => group.map((word) => `"${word}"`).join(' OR '))
  return `words : (${clauses.map((clause) => `(${clause})`).join(' AND ')})`
}

/** Rewrites the index if its table of leaves still contains removed words. */
export function dropLeftovers(connection: Connection, index: IndexName, removed: ReadonlySet<string>): void {
  const sorted = [...removed].sort()
  const leaves = connection.all<{ term: Uint8Array }>(`SELECT DISTINCT term FROM ${index}_idx`)
  const hasLeftover = leaves.some(({ term }) => {
    // The first byte identifies the index within the table; a shortened word may end inside a character.
    const start = Buffer.from(term)
      .subarray(1)
      .toString('utf8')
      .replace(/\ufffd+$/, '')
    return (
      (start.length > 1 || start > '\u007f') &&
      isStartOfAny(start, sorted) &&
      !isInUse(connection, index, start)
    )
  })
  if (hasLeftover) rewrite(connection, index)
}

function isStartOfAny(start: string, sorted: readonly string[]): boolean {
  let low = 0
  for (let high = sorted.length; low < high; ) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as string) < start) low = middle + 1
    else high = middle
  }
  return sorted[low]?.startsWith(start) ?? false
}

function isInUse(connection: Connection, index: IndexName, start: string): boolean {
  return connection.get(`SELECT 1 FROM ${index} WHERE ${index} MATCH ? LIMIT 1`, `"${start}" *`) !== undefined
}

/** Rewrites an index. `optimize` skips an index with a single segment, so a second one is added first. */
export function rewrite(connection: Connection, index: IndexName): void {
  const filler: IndexEntry = { number: -1, words: 'x', scope: 'x' }
  connection.run(`INSERT INTO ${index} (${index}) VALUES ('optimize')`)
  addEntry(connection, index, filler)
  connection.run(`INSERT INTO ${index} (${index}) VALUES ('optimize')`)
  removeEntry(connection, index, filler)
}
