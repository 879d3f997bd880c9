// Finds messages that have a word. The index returns locators in order, highest first, and stops at the limit: a word
// in every second message costs no more than a rare one.

import type { MessageLocator } from '../../../domain/locator.ts'
import type { FoundLocators, RecallScope, WordLookup } from '../../recall-store.ts'
import { askedGroups } from '../../word-groups.ts'
import { takeEntries, toPortion } from '../find-entries.ts'
import { findMessages } from '../message-words.ts'
import type { Session } from '../session.ts'
import { readWordLists, TOP_BLOCK } from '../word-rows.ts'
import { toTerm } from '../word-terms.ts'
import { toSpan } from './find-in-time.ts'
import { findPlacesThen } from './find-places-then.ts'
import { countDownTo, FEW_CONVERSATIONS, filterScope, wordScopeOf } from './scope.ts'

export async function findPlaces(session: Session, lookup: WordLookup): Promise<FoundLocators> {
  const asked = askedGroups(lookup.allOf)
  if (asked === undefined) return { locators: [], count: 0 }
  const groups = asked.map((group) => group.map(toTerm))
  const { limit } = lookup
  if (lookup.from !== undefined || lookup.to !== undefined)
    return findPlacesThen(session, lookup, { groups, limit, span: toSpan(lookup) })
  // One more than the limit, to detect whether there are more.
  const wanted = limit + 1
  const entries = findMessages(session, { ...wordScopeOf(lookup), groups, wanted })
  const places = await takeEntries(entries, wanted, filterScope(session, lookup))
  return cutOff(session, lookup, { places: places as readonly MessageLocator[], limit })
}

/** Whether reading the rows of its words once is nearly always enough. */
export const isPlain = ({ allOf, conversations, from, to }: WordLookup): boolean =>
  allOf.length === 1 &&
  allOf.every((words) => words.every((word) => !word.includes(' '))) &&
  (conversations?.length ?? 0) <= FEW_CONVERSATIONS &&
  from === undefined &&
  to === undefined

/** Runs plain lookups, one statement per scope, since a question looks up each of its words. */
export async function findPlacesTogether(
  session: Session,
  lookups: readonly WordLookup[],
): Promise<readonly FoundLocators[]> {
  const found = new Map<WordLookup, FoundLocators>()
  for (const together of byScope(lookups)) {
    for (const [lookup, places] of await findInScope(session, together)) found.set(lookup, places)
  }
  return lookups.map((lookup) => found.get(lookup) ?? { locators: [], count: 0 })
}

function byScope(lookups: readonly WordLookup[]): Iterable<readonly WordLookup[]> {
  const scopes = new Map<string, WordLookup[]>()
  for (const lookup of lookups) {
    const scope = JSON.stringify([lookup.workspace, lookup.conversations])
    const own = scopes.get(scope) ?? []
    own.push(lookup)
    scopes.set(scope, own)
  }
  return scopes.values()
}

async function findInScope(
  session: Session,
  lookups: readonly WordLookup[],
): Promise<readonly (readonly [WordLookup, FoundLocators])[]> {
  const [scope] = lookups
  if (scope === undefined) return []
  const asked = lookups.map(({ allOf }) => new Set(askedGroups(allOf)?.flat()))
  const words = [...new Set(asked.flatMap((own) => [...own]))]
  const wanted = Math.max(...lookups.map(({ limit }) => limit)) + 1
  const index = { ...wordScopeOf(scope), index: 'message' } as const
  const lists = await readWordLists(session, index, { words, below: TOP_BLOCK, wanted })
  const cut: Cut[] = lookups.map(({ limit }, i) => {
    const portion = toPortion(lists.filter(({ word }) => asked[i]?.has(word)))
    return {
      limit,
      places: Array.from(portion.numbers.subarray(0, limit + 1)) as MessageLocator[],
      isAll: portion.bound === undefined,
    }
  })
  const counts = await countAll(session, scope, cut)
  const found: (readonly [WordLookup, FoundLocators])[] = []
  for (const [i, lookup] of lookups.entries()) {
    const { places, isAll, limit } = cut[i] as Cut
    // If words are dense in few rows, too few entries may have been read.
    const isEnough = isAll || places.length > limit
    const plain = { locators: places.slice(0, limit), count: counts[i] as number }
    found.push([lookup, isEnough ? plain : await findPlaces(session, lookup)])
  }
  return found
}

interface Cut {
  /** Up to one more than the limit. */
  readonly places: readonly MessageLocator[]
  readonly limit: number
  readonly isAll: boolean
}

/** Results up to the limit, and the total count. */
async function cutOff(session: Session, scope: RecallScope, cut: Omit<Cut, 'isAll'>): Promise<FoundLocators> {
  const [count = 0] = await countAll(session, scope, [cut])
  return { locators: cut.places.slice(0, cut.limit), count }
}

/** The exact count, or an estimate from how far down the scope the results reach. */
async function countAll(
  session: Session,
  scope: RecallScope,
  cuts: readonly Omit<Cut, 'isAll'>[],
): Promise<readonly number[]> {
  const lowest = cuts.flatMap(({ places, limit }) => places[limit] ?? [])
  const sums = await countDownTo(session, scope, lowest)
  return cuts.map(({ places, limit }) => {
    const reached = sums.get(places[limit] as MessageLocator)
    if (reached === undefined) return places.length
    const estimate = Math.round((places.length * reached.total) / reached.above)
    return Math.max(places.length, Math.min(estimate, reached.total))
  })
}
