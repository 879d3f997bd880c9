// Which entries of the index have the words that are asked for, the highest first, some at a time: whoever has enough
// stops asking. Of several groups of words the rarest leads, and the others are asked only about what it has.

import type { Session } from './connection.ts'
import { blockOf, ENTRIES } from './word-index.ts'
import {
  type EntryRange,
  readWordLists,
  readWordsIn,
  TOP_BLOCK,
  type WordList,
  type WordScope,
} from './word-rows.ts'
import { type AskedGroup, hasAll, readGroups, type Term } from './word-terms.ts'

export interface EntryLookup extends WordScope {
  /** An entry counts if it has a term of every group. */
  readonly groups: readonly (readonly Term[])[]
  /** So many are wanted, about. */
  readonly wanted: number
  /** The words of entries, in order, to see whether those of a phrase follow one another. */
  readonly readWords: (numbers: readonly number[]) => Promise<ReadonlyMap<number, readonly string[]>>
}

export const EVERYWHERE: readonly EntryRange[] = [{ first: 0, last: Number.MAX_SAFE_INTEGER }]

/** Of each of several groups, so many are read for one that is wanted: hardly any has them all. */
const READ_FOR_EACH = 4
/** So many of the rarest group are looked up in the others together. */
const LED = 4096
/** So many texts are read at once to look for phrases. */
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
    yield* checked(lookup, asked.phrases, numbers.filter(isWithin(lookup.ranges)))
  }
}

/** A range may begin or end within a block. */
function isWithin(ranges: EntryLookup['ranges']): (number: number) => boolean {
  if ('conversations' in ranges || ranges === EVERYWHERE) return () => true
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

/** What is known of a group. */
interface Portion {
  /** The words that stand anywhere. */
  readonly words: AskedGroup
  /** The highest first, each once. */
  readonly numbers: readonly number[]
  /** Nothing is known of the blocks below this one; undefined where all is known. */
  readonly bound: number | undefined
}

/** Of a word that has more rows than were read, nothing is known below the last of them. */
export function toPortion(lists: readonly WordList[]): Portion {
  const bounds = lists.flatMap(({ bound }) => bound ?? [])
  const bound = bounds.length === 0 ? undefined : Math.max(...bounds)
  const least = (bound ?? 0) * ENTRIES
  const known = Float64Array.from(lists.flatMap(({ numbers }) => numbers)).sort()
  const numbers: number[] = []
  for (let i = known.length - 1; i >= 0; i--) {
    const number = known[i] as number
    if (number < least) break
    if (number !== numbers.at(-1)) numbers.push(number)
  }
  return { words: [...new Set(lists.map(({ word }) => word))], numbers, bound }
}

/** Entries that have one of the words. */
async function* findAny(
  session: Session,
  lookup: EntryLookup,
  { words, below: top, wanted }: { words: AskedGroup; below: number; wanted: number },
): AsyncGenerator<readonly number[]> {
  for (let below = top; ; ) {
    const { numbers, bound } = toPortion(await readWordLists(session, lookup, { words, below, wanted }))
    yield numbers
    if (bound === undefined) return
    below = bound
  }
}

/** Entries that have a word of every group. */
async function* findCommon(
  session: Session,
  lookup: EntryLookup,
  groups: readonly AskedGroup[],
): AsyncGenerator<readonly number[]> {
  const words = [...new Set(groups.flat())]
  const wanted = READ_FOR_EACH * lookup.wanted
  const lists = await readWordLists(session, lookup, { words, below: TOP_BLOCK, wanted })
  const portions = groups.map((group) => toPortion(lists.filter(({ word }) => group.includes(word))))
  // The farther down so many of them reach, the fewer there are.
  const [leader, ...others] = portions.sort((a, b) => (a.bound ?? -1) - (b.bound ?? -1))
  if (leader === undefined) return
  const allKnown = Math.max(...portions.map(({ bound }) => bound ?? 0)) * ENTRIES
  const sets = others.map(({ numbers }) => new Set(numbers))
  const isKnown = (number: number) => number >= allKnown
  yield leader.numbers.filter((number) => isKnown(number) && sets.every((set) => set.has(number)))
  const keep = (numbers: readonly number[]) => keepCommon(session, lookup, { numbers, groups: others })
  yield keep(leader.numbers.filter((number) => !isKnown(number)))
  if (leader.bound === undefined) return
  const led = findAny(session, lookup, { words: leader.words, below: leader.bound, wanted: LED })
  for await (const numbers of led) yield keep(numbers)
}

/** What the other groups have of these entries. */
async function keepCommon(
  session: Session,
  lookup: EntryLookup,
  { numbers, groups }: { readonly numbers: readonly number[]; readonly groups: readonly Portion[] },
): Promise<readonly number[]> {
  let common = numbers
  for (const { words } of groups) {
    if (common.length === 0) return common
    const blocks = [...new Set(common.map(blockOf))]
    const there = await readWordsIn(session, lookup, { words, blocks })
    common = common.filter((number) => there.has(number))
  }
  return common
}

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
