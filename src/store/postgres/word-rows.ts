// Reads rows of the word index, highest first, for any number of words and ranges in one statement. How many rows a
// word needs depends on how many entries each has: a few are read first, and only if they have too few entries, about
// as many more as needed.

import type { WorkspaceId } from '../../domain/ids.ts'
import { POSITIONS_PER_CONVERSATION } from '../../domain/locator.ts'
import type { SqlValue } from './driver.ts'
import { packRows } from './packed-rows.ts'
import { hiddenLists, type Session } from './session.ts'
import { ENTRIES, INDEXES, type IndexName } from './word-index.ts'

/** From the first entry to the last. */
export interface EntryRange {
  readonly first: number
  readonly last: number
}

/** The part of an index to search. */
export interface WordScope {
  /** Its number or its id. */
  readonly workspace: number | WorkspaceId
  readonly index: IndexName
  /** Disjoint ranges, or the conversations with these ids. */
  readonly ranges: readonly EntryRange[] | { readonly conversations: readonly string[] }
  /** Whether messages of conversations with memory off are left out. */
  readonly isRemembered?: boolean
}

export interface AskedRows {
  readonly words: readonly string[]
  /** Only blocks below this one. */
  readonly below: number
  /** Approximate number of entries of each word in each range. */
  readonly wanted: number
}

/** What was read of a word in a range. */
export interface WordList {
  readonly word: string
  /** Its rows, highest block first. */
  readonly packed: Uint8Array
  /** The lowest block that was read, if there are more below. */
  readonly bound: number | null
}

export const TOP_BLOCK: number = Number.MAX_SAFE_INTEGER
/** Blocks per conversation. */
const BLOCKS = POSITIONS_PER_CONVERSATION / ENTRIES
/** Rows of a word read first, to estimate how many are needed. */
const FIRST_ROWS = 8
/** Maximum number of rows for all words and ranges together. */
const MOST_ROWS = 32_768

interface ListRow {
  /** Index of the word, from 1. */
  readonly at: number
  readonly packed: Uint8Array
  readonly bound: number | null
}

const toLists = (rows: readonly ListRow[], words: readonly string[]): readonly WordList[] =>
  rows.map(({ at, packed, bound }) => ({ word: words[at - 1] as string, packed, bound }))

export async function readWordLists(
  session: Session,
  scope: WordScope,
  asked: AskedRows,
): Promise<readonly WordList[]> {
  const values = toValues(scope, asked)
  if (values === undefined) return []
  const sql = `SELECT at, packed, bound FROM (${newestOf(scope)}) AS led`
  return toLists(await session.all<ListRow>(sql, ...values), asked.words)
}

/** The rows to read as the first parameters of a statement; undefined if there are none. */
function toValues(
  { workspace, index, ranges }: WordScope,
  { words, below, wanted }: AskedRows,
): readonly SqlValue[] | undefined {
  const pairs = words.length * ('conversations' in ranges ? ranges.conversations.length : ranges.length)
  if (pairs === 0) return undefined
  const most = Math.max(FIRST_ROWS, Math.min(wanted, Math.floor(MOST_ROWS / pairs)))
  const [first, last] = toRangeValues(ranges)
  return [workspace, INDEXES[index], words, below, wanted, most, first, last]
}

/** SQL for the workspace in the first parameter. */
export const toWorkspace = (workspace: WordScope['workspace']): string =>
  typeof workspace === 'number' ? '$1' : '(SELECT number FROM workspace WHERE id = $1)'

function toRangeValues(ranges: WordScope['ranges']): readonly [SqlValue, SqlValue] {
  if ('conversations' in ranges) return [ranges.conversations, null]
  return [
    ranges.map(({ first }) => Math.floor(first / ENTRIES)),
    ranges.map(({ last }) => Math.floor(last / ENTRIES)),
  ]
}

function toRanges({ ranges, workspace }: WordScope): string {
  if (!('conversations' in ranges)) return `${hiddenLists('$7::bigint[]', '$8::bigint[]')} AS r (first, last)`
  return `(SELECT c.number * ${BLOCKS} AS first, (c.number + 1) * ${BLOCKS} - 1 AS last FROM conversation c
    WHERE c.workspace = ${toWorkspace(workspace)} AND c.id = ANY($7::text[]) AND $8::bigint[] IS NULL) AS r`
}

/** SQL for the rows of each word in each range, highest first. */
function newestOf(scope: WordScope): string {
  const workspace = toWorkspace(scope.workspace)
  const isSeen = scope.isRemembered
    ? `AND w.block / ${BLOCKS} <> ALL (ARRAY(SELECT c.number FROM conversation c
         WHERE c.workspace = ${workspace} AND NOT c.is_memory_on))`
    : ''
  const rows = (upTo: string, limit: string) => `SELECT w.block, w.entries FROM indexed_word w
    WHERE w.workspace = ${workspace} AND w.kind = $2 AND w.word = n.word AND w.block >= r.first AND ${upTo} ${isSeen}
    ORDER BY w.block DESC LIMIT ${limit}`
  return `SELECT n.at, x.* FROM ${hiddenLists('$3::text[]')} WITH ORDINALITY AS n (word, at)
    CROSS JOIN ${toRanges(scope)} CROSS JOIN LATERAL (
      WITH newest AS MATERIALIZED (
        ${rows('w.block <= r.last AND w.block < $4::bigint', String(FIRST_ROWS))}),
      known AS (SELECT count(*) AS rows, min(block) AS lowest, CASE WHEN sum(length(entries)) >= $5::int THEN 0
        ELSE least($6::int, 2 * $5::int * count(*) / sum(length(entries))) END AS more FROM newest)
      SELECT count(*) AS rows, min(y.block) AS lowest, max(y.block) AS highest, ${packRows('y')} AS packed,
        CASE count(*) WHEN ${FIRST_ROWS} + (SELECT more FROM known WHERE rows = ${FIRST_ROWS}) THEN min(y.block) END AS bound
      FROM (SELECT block, entries FROM newest UNION ALL (
        ${rows(`w.block < (SELECT lowest FROM known WHERE rows = ${FIRST_ROWS})`, '(SELECT more FROM known)')})) y
    ) x WHERE x.rows > 0`
}

/** Rows of another word read per row of the leading words; if it has far more, the rest is looked up. */
const READ_BESIDE = 4

export interface Led {
  readonly leaders: readonly WordList[]
  /** Rows of the other words, from the highest row of the leading words to the lowest. */
  readonly others: readonly WordList[]
}

/** Reads rows of the leading words, and of the others in the same range of blocks. */
export async function readWordsAlong(
  session: Session,
  scope: WordScope,
  { others, ...asked }: AskedRows & { readonly others: readonly string[] },
): Promise<Led> {
  const values = toValues(scope, asked)
  if (values === undefined) return { leaders: [], others: [] }
  const rows = await session.all<ListRow & { is_leader: boolean }>(alongOf(scope), ...values, others)
  return {
    leaders: toLists(
      rows.filter(({ is_leader }) => is_leader),
      asked.words,
    ),
    others: toLists(
      rows.filter(({ is_leader }) => !is_leader),
      others,
    ),
  }
}

const alongOf = (scope: WordScope): string => `WITH led AS MATERIALIZED (${newestOf(scope)}),
  reach AS (SELECT coalesce(max(bound), min(lowest)) AS low, max(highest) AS high, ${READ_BESIDE} * sum(rows) AS most
    FROM led)
  SELECT TRUE AS is_leader, at, packed, bound FROM led UNION ALL
  SELECT FALSE, o.at, x.packed, x.bound FROM reach CROSS JOIN ${hiddenLists('$9::text[]')} WITH ORDINALITY AS o (word, at)
  CROSS JOIN ${toRanges(scope)} CROSS JOIN LATERAL (
    SELECT count(*) AS rows, ${packRows('y')} AS packed, CASE count(*) WHEN reach.most THEN min(y.block) END AS bound
    FROM (SELECT w.block, w.entries FROM indexed_word w
      WHERE w.workspace = ${toWorkspace(scope.workspace)} AND w.kind = $2 AND w.word = o.word
        AND w.block >= greatest(r.first, reach.low) AND w.block <= least(r.last, reach.high)
      ORDER BY w.block DESC LIMIT reach.most) y
  ) x WHERE x.rows > 0`

/** Up to this many rows are looked up one by one. */
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

/** Reads the rows of words in the given blocks. */
export async function readWordsIn(
  session: Session,
  { workspace, index }: WordScope,
  { words, blocks }: { readonly words: readonly string[]; readonly blocks: readonly number[] },
): Promise<Uint8Array> {
  if (words.length === 0 || blocks.length === 0) return new Uint8Array()
  const rows = words.length * blocks.length <= MOST_LOOKED_UP ? oneByOne : together
  const found = await session.get<{ packed: Uint8Array | null }>(
    `SELECT ${packRows('y')} AS packed FROM (${rows(toWorkspace(workspace))}) y`,
    workspace,
    INDEXES[index],
    words,
    blocks,
  )
  return found?.packed ?? new Uint8Array()
}
