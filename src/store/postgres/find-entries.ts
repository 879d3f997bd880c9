// Finds the index entries that have the requested words, highest first, in batches, so that a caller that has enough
// can stop. With several groups of words, the rarest group leads, and only nearby rows of the others are read.

import { countFrom, keepPacked, unpackNumbers } from './packed-rows.ts'
import type { Session } from './session.ts'
import { blockOf, ENTRIES } from './word-index.ts'
import {
  type EntryRange,
  readWordLists,
  readWordsAlong,
  readWordsIn,
  TOP_BLOCK,
  type WordList,
  type WordScope,
} from './word-rows.ts'
import { type AskedGroup, hasAll, readGroups, type Term } from './word-terms.ts'

export interface EntryLookup extends WordScope {
  /** An entry matches if it has a term of every group. */
  readonly groups: readonly (readonly Term[])[]
  /** Approximate number of entries to find. */
  readonly wanted: number
  /** Reads the words of entries, in order, to check whether the words of a phrase follow each other. */
  readonly readWords: (numbers: readonly number[]) => Promise<ReadonlyMap<number, readonly string[]>>
}

export const EVERYWHERE: readonly EntryRange[] = [{ first: 0, last: Number.MAX_SAFE_INTEGER }]

/** Entries of each group to read per wanted entry, since few have a word of every group. */
const READ_FOR_EACH = 4
/** Maximum number of entries of the rarest group per read. */
const MOST_LED = 4096
/** Reads slightly more than the estimate, because another round trip costs more. */
const SPARE = 1.25
/** Texts read per batch to check for phrases. */
const CHECKED_AT_ONCE = 200

export async function* findEntries(session: Session, lookup: EntryLookup): AsyncGenerator<readonly number[]> {
  const asked = await readGroups(session, lookup)
  if (asked === undefined) return
  const [only, ...others] = asked.groups
  if (only === undefined) return
  const found =
    others.length === 0
      ? findAny(session, lookup, { words: only, below: TOP_BLOCK, wanted: lookup.wanted })
      : findCommon(session, lookup, asked.groups)
  for await (const numbers of found) {
    yield* checked(lookup, asked.phrases, Array.from(numbers).filter(isWithin(lookup.ranges)))
  }
}

/** A range may begin or end within a block. */
function isWithin(ranges: EntryLookup['ranges']): (number: number) => boolean {
  if ('conversations' in ranges || ranges === EVERYWHERE) return () => true
  return (number) => ranges.some(({ first, last }) => number >= first && number <= last)
}

/** Keeps entries in which the words of each phrase follow each other. */
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

/** What was read of a group. */
interface Portion {
  /** The words that occur in the index. */
  readonly words: AskedGroup
  /** Highest first, without duplicates. */
  readonly numbers: Float64Array
  /** Blocks below this one were not read; undefined if all were. */
  readonly bound: number | undefined
}

/** If a word has more rows than were read, the result ends at the last block that was read. */
export function toPortion(lists: readonly WordList[]): Portion {
  const bound = boundOf(lists)
  const packed = lists.map((list) => list.packed)
  return { words: wordsOf(lists), numbers: unpackNumbers(packed, bound ?? 0), bound }
}

function boundOf(lists: readonly WordList[]): number | undefined {
  const bounds = lists.flatMap(({ bound }) => bound ?? [])
  return bounds.length === 0 ? undefined : Math.max(...bounds)
}

const wordsOf = (lists: readonly WordList[]): AskedGroup => [...new Set(lists.map(({ word }) => word))]

/** Yields entries that have one of the words. */
async function* findAny(
  session: Session,
  lookup: EntryLookup,
  { words, below: top, wanted }: { words: AskedGroup; below: number; wanted: number },
): AsyncGenerator<Float64Array> {
  for (let below = top; ; ) {
    const { numbers, bound } = toPortion(await readWordLists(session, lookup, { words, below, wanted }))
    yield numbers
    if (bound === undefined) return
    below = bound
  }
}

/** Yields entries that have a word of every group. */
async function* findCommon(
  session: Session,
  lookup: EntryLookup,
  groups: readonly AskedGroup[],
): AsyncGenerator<Float64Array> {
  const [words, ...others] = await rarestFirst(session, lookup, groups)
  if (words === undefined) return
  const asked = { words, others: [...new Set(others.flat())] }
  let below = TOP_BLOCK
  let seen = 0
  let found = 0
  for (let wanted = READ_FOR_EACH * lookup.wanted; ; ) {
    const led = await readWordsAlong(session, lookup, { ...asked, below, wanted })
    const { numbers, bound } = toPortion(led.leaders)
    const known = countFrom(numbers, (boundOf(led.others) ?? 0) * ENTRIES)
    const beside = keepBeside(numbers.subarray(0, known), others, led.others)
    yield beside
    const rest = await keepCommon(session, lookup, { numbers: numbers.subarray(known), groups: others })
    yield rest
    if (bound === undefined) return
    below = bound
    seen += numbers.length
    found += beside.length + rest.length
    wanted = wantedNext(lookup.wanted, { seen, found })
  }
}

/**
 * Estimates from the share of matches so far. A caller that continues after finding enough has further conditions.
 */
function wantedNext(wanted: number, { seen, found }: { seen: number; found: number }): number {
  const missing = wanted - found
  if (missing <= 0 || found === 0) return MOST_LED
  return Math.min(MOST_LED, Math.max(wanted, Math.ceil((SPARE * missing * seen) / found)))
}

/** The words of each group that occur in the index, rarest group first; empty if a group has none. */
async function rarestFirst(
  session: Session,
  lookup: EntryLookup,
  groups: readonly AskedGroup[],
): Promise<readonly AskedGroup[]> {
  const words = [...new Set(groups.flat())]
  const lists = await readWordLists(session, lookup, { words, below: TOP_BLOCK, wanted: 1 })
  const known = groups.map((group) => lists.filter(({ word }) => group.includes(word)))
  if (known.some((own) => own.length === 0)) return []
  // The further down a fixed number of rows reaches, the rarer the word.
  const depth = (own: readonly WordList[]) => boundOf(own) ?? -1
  return known.sort((a, b) => depth(a) - depth(b)).map(wordsOf)
}

/** Keeps entries with a word of every group, using only rows that were already read. */
function keepBeside(
  numbers: Float64Array,
  groups: readonly AskedGroup[],
  lists: readonly WordList[],
): Float64Array {
  return groups.reduce((common, group) => {
    const own = lists.filter(({ word }) => group.includes(word))
    return keepPacked(
      common,
      own.map(({ packed }) => packed),
    )
  }, numbers)
}

/** Keeps entries with a word of every group, reading the rows that are needed. */
async function keepCommon(
  session: Session,
  lookup: EntryLookup,
  { numbers, groups }: { readonly numbers: Float64Array; readonly groups: readonly AskedGroup[] },
): Promise<Float64Array> {
  let common = numbers
  for (const words of groups) {
    if (common.length === 0) return common
    const blocks = [...new Set(Array.from(common, blockOf))]
    common = keepPacked(common, [await readWordsIn(session, lookup, { words, blocks })])
  }
  return common
}

/** Returns up to `wanted` entries that pass, highest first. */
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
