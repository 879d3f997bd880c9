// Which entries of the index have the words that are asked for, the highest first, some at a time: whoever has enough
// stops asking. Of several groups of words the rarest leads, and the others are asked only about what it has.

import type { Session } from './connection.ts'
import { blockOf, ENTRIES, INDEXES, type IndexKey, numbersIn } from './word-index.ts'
import { type AskedGroup, hasAll, readGroups, type Term } from './word-terms.ts'

/** From the first entry to the last. */
export interface EntryRange {
  readonly first: number
  readonly last: number
}

export interface EntryLookup extends IndexKey {
  /** An entry counts if it has a term of every group. */
  readonly groups: readonly (readonly Term[])[]
  /** None has an entry of another. */
  readonly ranges: readonly EntryRange[]
  /** So many are wanted, about. */
  readonly wanted: number
  /** The words of entries, in order, to see whether those of a phrase follow one another. */
  readonly readWords: (numbers: readonly number[]) => Promise<ReadonlyMap<number, readonly string[]>>
}

export const EVERYWHERE: readonly EntryRange[] = [{ first: 0, last: Number.MAX_SAFE_INTEGER }]

/** To know which of several groups is the rarest. */
const COMPARED_ROWS = 64
/** Of every word in every range, at least so many rows are read at once. */
const LEAST_ROWS = 8
/** So many rows come back at once, if all words are common. */
const MOST_ROWS = 8192
/** So many rows of the leading group are looked up in the others. */
const LED_ROWS = 512
/** So many texts are read at once to look for phrases. */
const CHECKED_AT_ONCE = 200

export async function* findEntries(session: Session, lookup: EntryLookup): AsyncGenerator<readonly number[]> {
  const asked = await readGroups(session, lookup)
  if (asked === undefined || lookup.ranges.length === 0) return
  const [leader, ...others] = await putRarestFirst(session, lookup, asked.groups)
  if (leader === undefined) return
  const most = others.length === 0 ? lookup.wanted : LED_ROWS
  for (let below = Number.MAX_SAFE_INTEGER; ; ) {
    const portion = await readRows(session, lookup, { words: leader, below, most })
    const rows = await keepCommon(session, lookup, { rows: portion.rows, groups: others })
    const numbers = rows.flatMap(({ block, mask }) => numbersIn(block, mask)).filter(isWithin(lookup.ranges))
    yield* checked(lookup, asked.phrases, numbers)
    if (portion.bound === undefined) return
    below = portion.bound
  }
}

function isWithin(ranges: readonly EntryRange[]): (number: number) => boolean {
  return (number) => ranges.some(({ first, last }) => number >= first && number <= last)
}

/** Those whose words follow one another where they have to. */
async function* checked(
  { readWords }: EntryLookup,
  phrases: readonly (readonly Term[])[],
  numbers: readonly number[],
): AsyncGenerator<readonly number[]> {
  if (phrases.length === 0) {
    yield numbers
    return
  }
  for (let first = 0; first < numbers.length; first += CHECKED_AT_ONCE) {
    const some = numbers.slice(first, first + CHECKED_AT_ONCE)
    const words = await readWords(some)
    yield some.filter((number) => hasAll(words.get(number) ?? [], phrases))
  }
}

async function putRarestFirst(
  session: Session,
  lookup: EntryLookup,
  groups: readonly AskedGroup[],
): Promise<readonly AskedGroup[]> {
  if (groups.length < 2) return groups
  const measured: { group: AskedGroup; reach: number }[] = []
  for (const words of groups) {
    const below = Number.MAX_SAFE_INTEGER
    const { rows, bound } = await readRows(session, lookup, { words, below, most: COMPARED_ROWS })
    // The farther down so many of them reach, the fewer there are.
    measured.push({ group: words, reach: bound ?? rows.length - COMPARED_ROWS * words.length })
  }
  return measured.sort((a, b) => a.reach - b.reach).map(({ group }) => group)
}

interface Row {
  readonly block: number
  readonly mask: number
}

interface Portion {
  /** The highest first. */
  readonly rows: readonly Row[]
  /** Where the next portion begins, below; undefined for the last. */
  readonly bound: number | undefined
}

interface Asked {
  readonly words: AskedGroup
  readonly below: number
  readonly most: number
}

const ROWS = `SELECT n.at AS word, r.at AS range, x.block, x.mask
  FROM unnest($3::text[]) WITH ORDINALITY AS n (word, at)
  CROSS JOIN unnest($4::bigint[], $5::bigint[]) WITH ORDINALITY AS r (first, last, at)
  CROSS JOIN LATERAL (SELECT w.block, w.mask FROM indexed_word w
    WHERE w.workspace = $1 AND w.kind = $2 AND w.word = n.word AND w.block BETWEEN r.first AND least(r.last, $6::bigint)
    ORDER BY w.block DESC LIMIT $7) x`

async function readRows(session: Session, lookup: EntryLookup, asked: Asked): Promise<Portion> {
  const { words, below, most } = asked
  const pairs = words.length * lookup.ranges.length
  const each = Math.max(LEAST_ROWS, Math.min(most, Math.floor(MOST_ROWS / pairs)))
  const rows = await session.all<Row & { word: number; range: number }>(
    ROWS,
    lookup.workspace,
    INDEXES[lookup.index],
    words,
    lookup.ranges.map(({ first }) => blockOf(first)),
    lookup.ranges.map(({ last }) => blockOf(last)),
    blockOf(below) - (below === Number.MAX_SAFE_INTEGER ? 0 : 1),
    each,
  )
  const bound = findBound(rows, each)
  const masks = new Map<number, number>()
  for (const { block, mask } of rows) {
    if (bound === undefined || block >= bound) masks.set(block, (masks.get(block) ?? 0) | mask)
  }
  const merged = [...masks].map(([block, mask]) => ({ block, mask })).sort((a, b) => b.block - a.block)
  return { rows: merged, bound: bound === undefined ? undefined : bound * ENTRIES }
}

/** Of a word that has more rows than were read, nothing is known below the last of them. */
function findBound(
  rows: readonly (Row & { word: number; range: number })[],
  each: number,
): number | undefined {
  const lists = new Map<string, { count: number; lowest: number }>()
  for (const { word, range, block } of rows) {
    const list = lists.get(`${word} ${range}`) ?? { count: 0, lowest: block }
    list.count += 1
    list.lowest = Math.min(list.lowest, block)
    lists.set(`${word} ${range}`, list)
  }
  const cut = [...lists.values()].filter(({ count }) => count === each).map(({ lowest }) => lowest)
  return cut.length === 0 ? undefined : Math.max(...cut)
}

/** What the other groups have of these rows. */
async function keepCommon(
  session: Session,
  { workspace, index }: IndexKey,
  { rows, groups }: { readonly rows: readonly Row[]; readonly groups: readonly AskedGroup[] },
): Promise<readonly Row[]> {
  let common = rows
  for (const words of groups) {
    if (common.length === 0) return common
    const blocks = common.map(({ block }) => block)
    const isFew = words.length * blocks.length <= MOST_ROWS
    const others = await session.all<Row>(
      isFew ? ONE_BY_ONE : TOGETHER,
      workspace,
      INDEXES[index],
      words,
      blocks,
    )
    const masks = new Map<number, number>()
    for (const { block, mask } of others) masks.set(block, (masks.get(block) ?? 0) | mask)
    common = common
      .map(({ block, mask }) => ({ block, mask: mask & (masks.get(block) ?? 0) }))
      .filter(({ mask }) => mask !== 0)
  }
  return common
}

/** The limit keeps PostgreSQL from reading all rows of a word to find some of them. */
const ONE_BY_ONE = `SELECT x.block, x.mask FROM unnest($3::text[]) AS n (word) CROSS JOIN unnest($4::bigint[]) AS b (block)
  CROSS JOIN LATERAL (SELECT w.block, w.mask FROM indexed_word w
    WHERE w.workspace = $1 AND w.kind = $2 AND w.word = n.word AND w.block = b.block LIMIT 1) x`

const TOGETHER = `SELECT w.block, w.mask FROM indexed_word w WHERE w.workspace = $1 AND w.kind = $2
  AND w.word = ANY($3::text[]) AND w.block = ANY($4::bigint[])`

/** As many as are wanted of those that pass, the highest first. */
export async function takeEntries(
  entries: AsyncGenerator<readonly number[]>,
  wanted: number,
  pass: (numbers: readonly number[]) => Promise<readonly number[]> = async (numbers) => numbers,
): Promise<readonly number[]> {
  const taken: number[] = []
  for await (const numbers of entries) {
    if (numbers.length > 0) taken.push(...(await pass(numbers)))
    if (taken.length >= wanted) break
  }
  return taken.slice(0, wanted)
}
