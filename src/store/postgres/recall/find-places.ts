// Finds messages that have a word. The index returns locators in order, highest first, and stops at the limit: a word
// in every second message costs no more than a rare one.

import { conversationNumberOf, type MessageLocator, toLocator } from '../../../domain/locator.ts'
import type { FoundLocators, RecallScope, WordLookup } from '../../recall-store.ts'
import { askedGroups } from '../../word-groups.ts'
import { takeEntries, toPortion } from '../find-entries.ts'
import { findMessages, toPlaceColumns } from '../message-words.ts'
import type { Session } from '../session.ts'
import { type EntryRange, readWordLists, TOP_BLOCK } from '../word-rows.ts'
import { type Term, toTerm } from '../word-terms.ts'
import { type Candidate, listCandidates, type Span, toSpan } from './find-in-time.ts'
import { countDownTo, FEW_CONVERSATIONS, filterScope, wordScopeOf } from './scope.ts'

export async function findPlaces(session: Session, lookup: WordLookup): Promise<FoundLocators> {
  const asked = askedGroups(lookup.allOf)
  if (asked === undefined) return { locators: [], count: 0 }
  const groups = asked.map((group) => group.map(toTerm))
  const { limit } = lookup
  if (lookup.from !== undefined || lookup.to !== undefined)
    return findByWordsInRange(session, lookup, { groups, limit, span: toSpan(lookup) })
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

// Finds messages that have a word and were said in a time span. The newest messages with a common word may all be
// later than the span. Therefore only the range of messages within the span is searched in each overlapping
// conversation, and the cost is that of a lookup without a span. With many conversations, everything from the first
// range to the last is searched at once.

export interface WordsThen {
  readonly groups: readonly (readonly Term[])[]
  readonly limit: number
  readonly span: Span
}

/** If times are out of order, a range begins and ends with the outermost of this many messages. */
const OUT_OF_ORDER = 1000

export async function findByWordsInRange(
  session: Session,
  scope: RecallScope,
  asked: WordsThen,
): Promise<FoundLocators> {
  const candidates = await listCandidates(session, scope, asked.span)
  const workspace = candidates[0]?.workspace
  if (workspace === undefined) return { locators: [], count: 0 }
  const isMany = candidates.length > FEW_CONVERSATIONS
  const stretches = isMany
    ? candidates.map(wholeOf)
    : await readStretches(session, { workspace, candidates, span: asked.span })
  const ranges = isMany ? [fromFirstToLast(stretches)] : stretches
  // One more than the limit, to detect whether there are more.
  const wanted = asked.limit + 1
  const entries = findMessages(session, { workspace, groups: asked.groups, ranges, wanted })
  const among = new Set(candidates.map(({ number }) => number))
  const places = await takeEntries(entries, wanted, (found) =>
    keepSaidThen(session, { workspace, span: asked.span, among }, found),
  )
  return {
    locators: places.slice(0, asked.limit).map((place) => place as MessageLocator),
    count: estimate(places, stretches, asked.limit),
  }
}

const wholeOf = ({ number, message_count }: Candidate): EntryRange => ({
  first: toLocator(number, 0),
  last: toLocator(number, Math.max(0, message_count - 1)),
})

/** The ranges are sorted highest first. */
const fromFirstToLast = (stretches: readonly EntryRange[]): EntryRange => ({
  first: stretches.at(-1)?.first ?? 0,
  last: stretches[0]?.last ?? 0,
})

/** The range of each conversation from the first message within the span to the last. */
async function readStretches(
  session: Session,
  {
    workspace,
    candidates,
    span,
  }: { readonly workspace: number; readonly candidates: readonly Candidate[]; readonly span: Span },
): Promise<readonly EntryRange[]> {
  const outermost = (which: 'min' | 'max', order: 'ASC' | 'DESC') => `(SELECT ${which}(position) FROM (
    SELECT position FROM message WHERE workspace = $1 AND conversation = s.number AND created_at >= $3::bigint
      AND created_at < $4::bigint ORDER BY created_at ${order}, position ${order} LIMIT ${OUT_OF_ORDER}) o)`
  const rows = await session.all<{ number: number; first: number | null; last: number | null }>(
    `SELECT s.number, ${outermost('min', 'ASC')} AS first, ${outermost('max', 'DESC')} AS last
     FROM unnest($2::bigint[]) AS s (number) ORDER BY s.number DESC`,
    workspace,
    candidates.map(({ number }) => number),
    span.from,
    span.to,
  )
  return rows.flatMap(({ number, first, last }) =>
    first === null || last === null
      ? []
      : [{ first: toLocator(number, first), last: toLocator(number, last) }],
  )
}

async function keepSaidThen(
  session: Session,
  { workspace, span, among }: { workspace: number; span: Span; among: ReadonlySet<number> },
  found: readonly number[],
): Promise<readonly number[]> {
  const asked = found.filter((place) => among.has(conversationNumberOf(place as MessageLocator)))
  if (asked.length === 0) return []
  const rows = await session.all<{ conversation: number; position: number }>(
    `SELECT m.conversation, m.position FROM unnest($2::bigint[], $3::int[]) AS s (conversation, position)
     JOIN message m ON m.workspace = $1 AND m.conversation = s.conversation AND m.position = s.position
     WHERE m.created_at >= $4::bigint AND m.created_at < $5::bigint`,
    workspace,
    ...toPlaceColumns(asked),
    span.from,
    span.to,
  )
  const said = new Set<number>(rows.map(({ conversation, position }) => toLocator(conversation, position)))
  return asked.filter((place) => said.has(place))
}

/** The exact count, or an estimate from how far down the ranges the results reach. */
function estimate(places: readonly number[], stretches: readonly EntryRange[], limit: number): number {
  const lowest = places[limit]
  if (lowest === undefined) return places.length
  const sizeAbove = (place: number) =>
    stretches.reduce((sum, { first, last }) => sum + Math.max(0, last - Math.max(first, place) + 1), 0)
  const share = sizeAbove(0) / Math.max(1, sizeAbove(lowest))
  return Math.max(places.length, Math.round(places.length * share))
}
