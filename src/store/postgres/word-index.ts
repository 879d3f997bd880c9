// The index of words: for each word of a workspace, which entries have it. Entries are numbers; 32 that follow one
// another share a row, each with a bit of its mask, so that a word in every message of a conversation takes a
// thirty-second of the rows. PostgreSQL's own full-text index cannot hand out the newest first without finding all, has
// no place for the workspace in its keys, and never forgets a word that it once had.
//
// A conversation's messages are a range of entries, and only whoever holds its row changes them: writers to different
// conversations never wait for each other.

import { type Content, readableText } from '../../domain/message.ts'
import { placeOf } from '../../domain/place.ts'
import { listWords } from '../../domain/words.ts'
import type { Session } from './connection.ts'

export const INDEXES = { message: 1, conversation: 2, query: 3, chunk: 4 } as const
export type IndexName = keyof typeof INDEXES

/** Entries that share a row. */
export const ENTRIES: number = 32

/** What is in the index under a number. */
export interface IndexEntry {
  readonly number: number
  readonly words: readonly string[]
}

export function messageEntry(
  conversation: number,
  { position, content }: { readonly position: number; readonly content: Content },
): IndexEntry {
  return { number: placeOf(conversation, position), words: listWords(readableText(content)) }
}

/** Each has rows of its own: two that are changed at once must not wait for each other. */
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
const bitOf = (number: number): number => 1 << (number % ENTRIES)

/** The numbers of the entries of a row, the highest first. */
export function numbersIn(block: number, mask: number): number[] {
  const numbers: number[] = []
  for (let bit = ENTRIES - 1; bit >= 0; bit--) if ((mask >>> bit) & 1) numbers.push(block * ENTRIES + bit)
  return numbers
}

interface Columns {
  readonly words: readonly string[]
  readonly blocks: readonly number[]
  readonly masks: readonly number[]
}

/** One row for each word and block, in the order of the key, so that those who write the same rows wait in line. */
function toColumns(entries: readonly IndexEntry[]): Columns {
  const masks = new Map<string, Map<number, number>>()
  for (const { number, words } of entries) {
    const block = blockOf(number)
    for (const word of words) {
      const ofWord = masks.get(word) ?? new Map<number, number>()
      ofWord.set(block, (ofWord.get(block) ?? 0) | bitOf(number))
      masks.set(word, ofWord)
    }
  }
  const rows = [...masks]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([word, ofWord]) => [...ofWord].map(([block, mask]) => ({ word, block, mask })))
  return {
    words: rows.map(({ word }) => word),
    blocks: rows.map(({ block }) => block),
    masks: rows.map(({ mask }) => mask),
  }
}

export interface IndexKey {
  readonly workspace: number
  readonly index: IndexName
}

export async function addEntries(
  session: Session,
  { workspace, index }: IndexKey,
  entries: readonly IndexEntry[],
): Promise<void> {
  const { words, blocks, masks } = toColumns(entries)
  if (words.length === 0) return
  await session.run(
    `INSERT INTO indexed_word (workspace, kind, word, block, mask)
     SELECT $1, $2, n.word, n.block, n.mask FROM unnest($3::text[], $4::bigint[], $5::int[]) AS n (word, block, mask)
     ON CONFLICT (workspace, kind, word, block) DO UPDATE SET mask = indexed_word.mask | excluded.mask`,
    workspace,
    INDEXES[index],
    words,
    blocks,
    masks,
  )
}

/** The same words must be handed in again. They can be: texts are immutable, and words a function of them. */
export async function removeEntries(
  session: Session,
  { workspace, index }: IndexKey,
  entries: readonly IndexEntry[],
): Promise<void> {
  const { words, blocks, masks } = toColumns(entries)
  if (words.length === 0) return
  await session.run(
    `UPDATE indexed_word w SET mask = w.mask & ~n.mask FROM unnest($3::text[], $4::bigint[], $5::int[]) AS n (word, block, mask)
     WHERE w.workspace = $1 AND w.kind = $2 AND w.word = n.word AND w.block = n.block`,
    workspace,
    INDEXES[index],
    words,
    blocks,
    masks,
  )
  await session.run(
    `DELETE FROM indexed_word w USING unnest($3::text[], $4::bigint[]) AS n (word, block)
     WHERE w.workspace = $1 AND w.kind = $2 AND w.word = n.word AND w.block = n.block AND w.mask = 0`,
    workspace,
    INDEXES[index],
    words,
    blocks,
  )
}

/** Of one entry, whatever its words: reads all of the index of the workspace. */
export async function clearEntry(
  session: Session,
  { workspace, index }: IndexKey,
  number: number,
): Promise<void> {
  const place = [workspace, INDEXES[index], blockOf(number)] as const
  await session.run(
    'UPDATE indexed_word SET mask = mask & ~$4::int WHERE workspace = $1 AND kind = $2 AND block = $3',
    ...place,
    bitOf(number),
  )
  await session.run(
    'DELETE FROM indexed_word WHERE workspace = $1 AND kind = $2 AND block = $3 AND mask = 0',
    ...place,
  )
}

/** From one number until before another, whatever their words: reads all of the index of the workspace. */
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
