// The word index: for each word of a workspace, which entries have it. Entries are numbers; 256 consecutive ones
// share a row, which lists them with one byte each, so a word that is frequent in a conversation takes one row
// instead of a hundred. The full-text index of PostgreSQL cannot return the newest first without finding all, cannot
// have the workspace in its keys, and never removes a word that it once had.
//
// The messages of a conversation are a range of entries, and only a transaction that has locked its row changes them:
// writers to different conversations never wait for each other. An entry is removed before it is added again.

import { toLocator } from '../../domain/locator.ts'
import { type Content, readableText } from '../../domain/message.ts'
import { listWords } from '../../domain/words.ts'
import type { Session } from './session.ts'

export const INDEXES = { message: 1, conversation: 2, query: 3, chunk: 4 } as const
export type IndexName = keyof typeof INDEXES

/** Entries that share a row: as many as a byte can distinguish. */
export const ENTRIES: number = 256

/** The words to index under a number. */
export interface IndexEntry {
  readonly number: number
  readonly words: readonly string[]
}

export function messageEntry(
  conversation: number,
  { position, content }: { readonly position: number; readonly content: Content },
): IndexEntry {
  return { number: toLocator(conversation, position), words: listWords(readableText(content)) }
}

/** Each conversation has separate rows, so that two concurrent changes do not wait for each other. */
export const conversationEntryNumber = (number: number): number => number * ENTRIES

export function conversationEntry(row: {
  readonly number: number
  readonly title: string | null
  readonly tags: string
}): IndexEntry {
  const tags: string[] = JSON.parse(row.tags)
  const text = [row.title ?? '', ...tags].join(' ')
  return { number: conversationEntryNumber(row.number), words: listWords(text) }
}

export const blockOf = (number: number): number => Math.floor(number / ENTRIES)

interface Columns {
  readonly words: readonly string[]
  readonly blocks: readonly number[]
  readonly entries: readonly Uint8Array[]
}

/** One row for each word and block, in key order, so that writers of the same rows do not deadlock. */
function toColumns(entries: readonly IndexEntry[]): Columns {
  const lists = new Map<string, Map<number, Set<number>>>()
  for (const { number, words } of entries) {
    const block = blockOf(number)
    for (const word of words) {
      const ofWord = lists.get(word) ?? new Map<number, Set<number>>()
      ofWord.set(block, (ofWord.get(block) ?? new Set()).add(number % ENTRIES))
      lists.set(word, ofWord)
    }
  }
  const rows = [...lists]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([word, ofWord]) => [...ofWord].map(([block, list]) => ({ word, block, list })))
  return {
    words: rows.map(({ word }) => word),
    blocks: rows.map(({ block }) => block),
    entries: rows.map(({ list }) => Uint8Array.from(list)),
  }
}

export interface IndexKey {
  readonly workspace: number
  readonly index: IndexName
}

export async function addEntries(
  session: Session,
  { workspace, index }: IndexKey,
  added: readonly IndexEntry[],
): Promise<void> {
  const { words, blocks, entries } = toColumns(added)
  if (words.length === 0) return
  await session.run(
    `INSERT INTO indexed_word (workspace, kind, word, block, entries)
     SELECT $1, $2, n.word, n.block, n.entries FROM unnest($3::text[], $4::bigint[], $5::bytea[]) AS n (word, block, entries)
     ON CONFLICT (workspace, kind, word, block) DO UPDATE SET entries = indexed_word.entries || excluded.entries`,
    workspace,
    INDEXES[index],
    words,
    blocks,
    entries,
  )
}

/** What is left of a row `w` after removing entries. */
const without = (
  gone: string,
): string => `coalesce((SELECT string_agg(substring(w.entries FROM i FOR 1), '' ORDER BY i)
  FROM generate_series(1, length(w.entries)) AS i WHERE position(substring(w.entries FROM i FOR 1) IN ${gone}) = 0), '')`

/**
 * Must be called with the same words as when they were added. This is possible because texts are immutable, and words
 * are a function of them.
 */
export async function removeEntries(
  session: Session,
  { workspace, index }: IndexKey,
  removed: readonly IndexEntry[],
): Promise<void> {
  const { words, blocks, entries } = toColumns(removed)
  if (words.length === 0) return
  await session.run(
    `UPDATE indexed_word w SET entries = ${without('n.entries')}
     FROM unnest($3::text[], $4::bigint[], $5::bytea[]) AS n (word, block, entries)
     WHERE w.workspace = $1 AND w.kind = $2 AND w.word = n.word AND w.block = n.block`,
    workspace,
    INDEXES[index],
    words,
    blocks,
    entries,
  )
  await session.run(
    `DELETE FROM indexed_word w USING unnest($3::text[], $4::bigint[]) AS n (word, block)
     WHERE w.workspace = $1 AND w.kind = $2 AND w.word = n.word AND w.block = n.block AND length(w.entries) = 0`,
    workspace,
    INDEXES[index],
    words,
    blocks,
  )
}

/** Removes one entry, whatever its words. Reads the whole index of the workspace. */
export async function clearEntry(
  session: Session,
  { workspace, index }: IndexKey,
  number: number,
): Promise<void> {
  const place = [workspace, INDEXES[index], blockOf(number)] as const
  await session.run(
    `UPDATE indexed_word w SET entries = ${without('$4::bytea')} WHERE w.workspace = $1 AND w.kind = $2 AND w.block = $3`,
    ...place,
    Uint8Array.of(number % ENTRIES),
  )
  await session.run(
    'DELETE FROM indexed_word WHERE workspace = $1 AND kind = $2 AND block = $3 AND length(entries) = 0',
    ...place,
  )
}

/** Removes entries from one number up to, but not including, another. Reads the whole index of the workspace. */
export async function clearRange(
  session: Session,
  { workspace, index }: IndexKey,
  [first, end]: readonly [number, number],
): Promise<void> {
  await session.run(
    'DELETE FROM indexed_word WHERE workspace = $1 AND kind = $2 AND block >= $3 AND block < $4',
    workspace,
    INDEXES[index],
    blockOf(first),
    Math.ceil(end / ENTRIES),
  )
}

export async function clearIndex(session: Session, { workspace, index }: IndexKey): Promise<void> {
  await session.run('DELETE FROM indexed_word WHERE workspace = $1 AND kind = $2', workspace, INDEXES[index])
}
