// Rows of the index of words, the highest first, of any number of words and ranges in one statement. How many rows a
// word needs depends on how often it stands in each: a few are looked at, and only where they have too little, more are
// read, about as many as that takes. They come back as bytes: a row of its own for each would cost more than finding it.

import type { WorkspaceId } from '../../domain/ids.ts'
import { POSITIONS } from '../../domain/place.ts'
import type { Session } from './connection.ts'
import type { SqlValue } from './driver.ts'
import { ENTRIES, INDEXES, type IndexName } from './word-index.ts'

/** From the first entry to the last. */
export interface EntryRange {
  readonly first: number
  readonly last: number
}

/** The part of an index that is looked through. */
export interface WordScope {
  /** Its number, or its name. */
  readonly workspace: number | WorkspaceId
  readonly index: IndexName
  /** None has an entry of another; or the conversations that have these names. */
  readonly ranges: readonly EntryRange[] | { readonly conversations: readonly string[] }
  /** Whether messages of conversations with their memory off are left out. */
  readonly isRemembered?: boolean
}

export interface AskedRows {
  readonly words: readonly string[]
  /** Only of blocks below. */
  readonly below: number
  /** So many entries of each word in each range, about. */
  readonly wanted: number
}

/** What was read of a word in a range. */
export interface WordList {
  readonly word: string
  /** The highest block first. */
  readonly numbers: readonly number[]
  /** The lowest block that was read, where there are more below. */
  readonly bound: number | undefined
}

export const TOP_BLOCK: number = Number.MAX_SAFE_INTEGER
/** Blocks of a conversation. */
const BLOCKS = POSITIONS / ENTRIES
/** So many rows of a word tell how many are needed. */
const FIRST_ROWS = 8
/** So many at most, of all words and ranges together. */
const MOST_ROWS = 32_768

export async function readWordLists(
  session: Session,
  scope: WordScope,
  { words, below, wanted }: AskedRows,
): Promise<readonly WordList[]> {
  const { ranges } = scope
  const pairs = words.length * ('conversations' in ranges ? ranges.conversations.length : ranges.length)
  if (pairs === 0) return []
  const most = Math.max(FIRST_ROWS, Math.min(wanted, Math.floor(MOST_ROWS / pairs)))
  const rows = await session.all<{ word: number; is_cut: boolean; packed: Uint8Array }>(
    toStatement(scope),
    scope.workspace,
    INDEXES[scope.index],
    words,
    below,
    wanted,
    most,
    ...toRangeValues(ranges),
  )
  return rows.map(({ word, is_cut, packed }) => {
    const { numbers, lowest } = unpackRows(packed)
    return { word: words[word - 1] as string, numbers, bound: is_cut ? lowest : undefined }
  })
}

/** How a statement speaks of the workspace that is its first parameter. */
export const toWorkspace = (workspace: WordScope['workspace']): string =>
  typeof workspace === 'number' ? '$1' : '(SELECT number FROM workspace WHERE id = $1)'

function toRangeValues(ranges: WordScope['ranges']): readonly SqlValue[] {
  if ('conversations' in ranges) return [ranges.conversations]
  return [
    ranges.map(({ first }) => Math.floor(first / ENTRIES)),
    ranges.map(({ last }) => Math.floor(last / ENTRIES)),
  ]
}

function toRanges({ ranges, workspace }: WordScope): string {
  if (!('conversations' in ranges)) return 'unnest($7::bigint[], $8::bigint[]) AS r (first, last)'
  return `(SELECT c.number * ${BLOCKS} AS first, (c.number + 1) * ${BLOCKS} - 1 AS last FROM conversation c
    WHERE c.workspace = ${toWorkspace(workspace)} AND c.id = ANY($7::text[])) AS r`
}

function toStatement(scope: WordScope): string {
  const workspace = toWorkspace(scope.workspace)
  const isSeen = scope.isRemembered
    ? `AND w.block / ${BLOCKS} <> ALL (ARRAY(SELECT c.number FROM conversation c
         WHERE c.workspace = ${workspace} AND NOT c.is_memory_on))`
    : ''
  const rows = (upTo: string, limit: string) => `SELECT w.block, w.entries FROM indexed_word w
    WHERE w.workspace = ${workspace} AND w.kind = $2 AND w.word = n.word AND w.block >= r.first AND ${upTo} ${isSeen}
    ORDER BY w.block DESC LIMIT ${limit}`
  return `SELECT n.at AS word, x.is_cut, x.packed FROM unnest($3::text[]) WITH ORDINALITY AS n (word, at)
    CROSS JOIN ${toRanges(scope)} CROSS JOIN LATERAL (
      WITH newest AS MATERIALIZED (
        ${rows('w.block <= r.last AND w.block < $4::bigint', String(FIRST_ROWS))}),
      known AS (SELECT count(*) AS rows, min(block) AS lowest, CASE WHEN sum(length(entries)) >= $5::int THEN 0
        ELSE least($6::int, 2 * $5::int * count(*) / sum(length(entries))) END AS more FROM newest)
      SELECT count(*) AS rows, ${pack('y')} AS packed,
        count(*) = ${FIRST_ROWS} + (SELECT more FROM known WHERE rows = ${FIRST_ROWS}) AS is_cut
      FROM (SELECT * FROM newest UNION ALL (
        ${rows(`w.block < (SELECT lowest FROM known WHERE rows = ${FIRST_ROWS})`, '(SELECT more FROM known)')})) y
    ) x WHERE x.rows > 0`
}

/** So many are looked up one by one. */
const MOST_LOOKED_UP = 8192

/** The limit keeps PostgreSQL from reading all rows of a word to find some of them. */
const oneByOne = (
  workspace: string,
): string => `SELECT x.block, x.entries FROM unnest($3::text[]) AS n (word) CROSS JOIN unnest($4::bigint[]) AS b (block)
  CROSS JOIN LATERAL (SELECT w.block, w.entries FROM indexed_word w
    WHERE w.workspace = ${workspace} AND w.kind = $2 AND w.word = n.word AND w.block = b.block LIMIT 1) x`

const together = (
  workspace: string,
): string => `SELECT w.block, w.entries FROM indexed_word w WHERE w.workspace = ${workspace} AND w.kind = $2
  AND w.word = ANY($3::text[]) AND w.block = ANY($4::bigint[])`

/** The entries in some blocks that have one of the words. */
export async function readWordsIn(
  session: Session,
  { workspace, index }: WordScope,
  { words, blocks }: { readonly words: readonly string[]; readonly blocks: readonly number[] },
): Promise<ReadonlySet<number>> {
  if (words.length === 0 || blocks.length === 0) return new Set()
  const rows = words.length * blocks.length <= MOST_LOOKED_UP ? oneByOne : together
  const found = await session.get<{ packed: Uint8Array | null }>(
    `SELECT ${pack('y')} AS packed FROM (${rows(toWorkspace(workspace))}) y`,
    workspace,
    INDEXES[index],
    words,
    blocks,
  )
  return new Set(found?.packed ? unpackRows(found.packed).numbers : [])
}

/** Rows as one value, in the order in which they come: the block, how many entries, and these. */
const pack = (rows: string): string =>
  `string_agg(int8send(${rows}.block) || int2send(length(${rows}.entries)::smallint) || ${rows}.entries, '')`

function unpackRows(packed: Uint8Array): { readonly numbers: readonly number[]; readonly lowest: number } {
  const bytes = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  const numbers: number[] = []
  let lowest = TOP_BLOCK
  for (let at = 0; at < packed.length; ) {
    const block = bytes.getUint32(at) * 2 ** 32 + bytes.getUint32(at + 4)
    const end = at + 10 + bytes.getUint16(at + 8)
    for (at += 10; at < end; at++) numbers.push(block * ENTRIES + (packed[at] as number))
    lowest = Math.min(lowest, block)
  }
  return { numbers, lowest }
}
