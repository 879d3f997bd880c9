// Finds messages by word. The index returns places in order, highest first, and stops at the limit: a word in half
// of all messages costs no more than a rare one.
//
// All places are returned in one string, since one row each would take three times as long.

import { conversationNumberOf, type MessageLocator, toLocator } from '../../../domain/locator.ts'
import type { FoundLocators, WordLookup } from '../../recall-store.ts'
import type { Connection } from '../connection.ts'
import { matchGroups, matchInWorkspace } from '../word-index.ts'
import { type Candidate, listCandidates, type Span, toSpan } from './find-in-time.ts'
import { countDownTo, FEW_CONVERSATIONS, type PlaceRange, readScope, type Scope, toRanges } from './scope.ts'

const NO_LOCATORS: FoundLocators = { locators: [], count: 0 }

/**
 * Hits in the whole file that are examined before the index is used to exclude other workspaces, which takes longer
 * per hit.
 */
const LOOKED_AT = 10_000

/** Runs on one snapshot of the file. The words of a question share one scope, which is read once. */
export function findPlaces(connection: Connection, lookups: readonly WordLookup[]): readonly FoundLocators[] {
  return connection.snapshot(() => {
    const scopes = new Map<string, Scope | undefined>()
    return lookups.map((lookup) => {
      const name = JSON.stringify([lookup.workspace, lookup.conversations])
      const scope = scopes.has(name) ? scopes.get(name) : readScope(connection, lookup)
      scopes.set(name, scope)
      return scope === undefined ? NO_LOCATORS : findInScope(connection, scope, lookup)
    })
  })
}

function findInScope(connection: Connection, scope: Scope, lookup: WordLookup): FoundLocators {
  const match = matchGroups(lookup.allOf)
  if (match === undefined) return NO_LOCATORS
  const { limit } = lookup
  if (lookup.from !== undefined || lookup.to !== undefined) {
    return findByWordsInRange(connection, scope, { match, limit, span: toSpan(lookup) })
  }
  // One more than the limit, to know whether there are more.
  const wanted = limit + 1
  const places =
    scope.conversations === undefined
      ? findInWorkspace(connection, scope, { match, wanted })
      : findInRanges(connection, toRanges(scope.conversations), { match, wanted })
  return { locators: places.slice(0, limit), count: countOf(scope, places, limit) }
}

/** Counted, or estimated from how much of the scope the results cover. */
function countOf(scope: Scope, places: readonly MessageLocator[], limit: number): number {
  const lowest = places[limit]
  if (lowest === undefined) return places.length
  const { total, above } = countDownTo(scope, lowest)
  return Math.max(places.length, Math.min(Math.round((places.length * total) / above), total))
}

interface Wanted {
  readonly match: string
  readonly wanted: number
}

interface PlacesRow {
  readonly places: string
}

function findInRanges(
  connection: Connection,
  ranges: readonly PlaceRange[],
  { match, wanted }: Wanted,
): readonly MessageLocator[] {
  const found: MessageLocator[] = []
  for (const { first, last } of ranges) {
    const row = connection.get<PlacesRow>(IN_RANGE, match, first, last, wanted - found.length)
    found.push(...parse(row))
    if (found.length >= wanted) break
  }
  return found
}

// FTS5 stops at the end of a range only if the bound is an integer, and drivers bind large numbers as reals.
const IN_RANGE = `SELECT json_group_array(place) AS places FROM (
  SELECT rowid AS place FROM message_words WHERE message_words MATCH ?
    AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER) ORDER BY rowid DESC LIMIT ?)`

/** Checked for each hit: with many conversations, the index cannot do it as fast. */
const isRemembered = (place: string): string => `EXISTS (
  SELECT 1 FROM conversation c WHERE c.number = ${place} >> 24 AND c.workspace = ? AND c.is_memory_on = 1)`

const OF_FILE = `SELECT count(*) AS seen, json_group_array(place) FILTER (WHERE ${isRemembered('place')}) AS places
  FROM (SELECT rowid AS place FROM message_words WHERE message_words MATCH ? ORDER BY rowid DESC LIMIT ?)`

const OF_WORKSPACE = `SELECT json_group_array(place) AS places FROM (
  SELECT rowid AS place FROM message_words WHERE message_words MATCH ? AND ${isRemembered('message_words.rowid')}
  ORDER BY rowid DESC LIMIT ?)`

const OF_ONLY = `SELECT json_group_array(place) AS places FROM (
  SELECT rowid AS place FROM message_words WHERE message_words MATCH ? ORDER BY rowid DESC LIMIT ?)`

/**
 * Many files have one workspace, and need no check. If there are several, or the word is rare, the first pass
 * usually finds enough. Only if other workspaces contain the word far more often is it worth matching both word and
 * workspace in the index.
 */
function findInWorkspace(
  connection: Connection,
  { workspace, isWholeFile }: Scope,
  { match, wanted }: Wanted,
): readonly MessageLocator[] {
  if (isWholeFile) return parse(connection.get<PlacesRow>(OF_ONLY, match, wanted))
  for (const most of [wanted, LOOKED_AT]) {
    const row = connection.get<PlacesRow & { readonly seen: number }>(OF_FILE, workspace, match, most)
    const found = parse(row)
    if (found.length >= wanted || (row?.seen ?? 0) < most) return found.slice(0, wanted)
  }
  const scoped = matchInWorkspace(match, workspace)
  return parse(connection.get<PlacesRow>(OF_WORKSPACE, scoped, workspace, wanted))
}

const parse = (row: PlacesRow | undefined): readonly MessageLocator[] => JSON.parse(row?.places ?? '[]')

// Finds messages that contain a word and were created in a span of time. The newest messages with a common word may
// all be later than the span: so for each conversation that overlaps the span, only the stretch within it is
// searched, and the cost is that of a lookup without a span. With many conversations, everything from the first
// stretch to the last is searched at once, up to a bound.

export interface WordsThen {
  readonly match: string
  readonly limit: number
  readonly span: Span
}

/** If times are out of order, a stretch extends to the outermost of this many messages at either end. */
const OUT_OF_ORDER = 1000
/** With many conversations, the maximum number of messages with the word that are examined. */
const LOOKED_AT_IN_SPAN = 20_000

const SAID_THEN = `EXISTS (SELECT 1 FROM message m WHERE m.conversation = place >> 24 AND m.position = place & 0xffffff
  AND m.created_at >= ? AND m.created_at < ?)`

const IN_STRETCH = `SELECT json_group_array(place) AS places FROM (
  SELECT rowid AS place FROM message_words WHERE message_words MATCH ?
    AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER) AND ${SAID_THEN.replaceAll('place', 'message_words.rowid')}
  ORDER BY rowid DESC LIMIT ?)`

const IN_MANY = `SELECT json_group_array(place) AS places FROM (SELECT place FROM (
  SELECT rowid AS place FROM message_words WHERE message_words MATCH ?
    AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER) ORDER BY rowid DESC LIMIT ${LOOKED_AT_IN_SPAN})
  WHERE ${SAID_THEN} AND place >> 24 IN (SELECT value FROM json_each(?)) LIMIT ?)`

export function findByWordsInRange(connection: Connection, scope: Scope, asked: WordsThen): FoundLocators {
  const candidates = listCandidates(connection, scope, asked.span)
  const isMany = candidates.length > FEW_CONVERSATIONS
  const stretches = isMany
    ? candidates.map(wholeOf)
    : candidates.flatMap(({ number }) => stretchOf(connection, number, asked.span) ?? [])
  const places = isMany
    ? findInMany(connection, stretches, { ...asked, workspace: scope.workspace })
    : findInStretches(connection, stretches, asked)
  return { locators: places.slice(0, asked.limit), count: estimate(places, stretches, asked.limit) }
}

const wholeOf = ({ number, message_count }: Candidate): PlaceRange => ({
  first: toLocator(number, 0),
  last: toLocator(number, Math.max(0, message_count - 1)),
})

/** From the first message of a conversation within the span to the last; undefined if there is none. */
function stretchOf(connection: Connection, number: number, { from, to }: Span): PlaceRange | undefined {
  const outermost = (which: 'min' | 'max', order: 'ASC' | 'DESC') =>
    connection.get<{ position: number | null }>(
      `SELECT ${which}(position) AS position FROM (
         SELECT position FROM message WHERE conversation = ? AND created_at >= ? AND created_at < ?
         ORDER BY created_at ${order}, position ${order} LIMIT ${OUT_OF_ORDER})`,
      number,
      from,
      to,
    )?.position ?? undefined
  const [first, last] = [outermost('min', 'ASC'), outermost('max', 'DESC')]
  if (first === undefined || last === undefined) return undefined
  return { first: toLocator(number, first), last: toLocator(number, last) }
}

/** Returns one more than the limit, to know whether there are more. */
function findInStretches(
  connection: Connection,
  stretches: readonly PlaceRange[],
  { match, limit, span }: WordsThen,
): readonly MessageLocator[] {
  const found: MessageLocator[] = []
  for (const { first, last } of stretches) {
    const wanted = limit + 1 - found.length
    found.push(
      ...parse(connection.get<PlacesRow>(IN_STRETCH, match, first, last, span.from, span.to, wanted)),
    )
    if (found.length > limit) break
  }
  return found
}

function findInMany(
  connection: Connection,
  stretches: readonly PlaceRange[],
  { match, limit, span, workspace }: WordsThen & { readonly workspace: number },
): readonly MessageLocator[] {
  const [highest, lowest] = [stretches[0] as PlaceRange, stretches.at(-1) as PlaceRange]
  const row = connection.get<PlacesRow>(
    IN_MANY,
    matchInWorkspace(match, workspace),
    lowest.first,
    highest.last,
    span.from,
    span.to,
    JSON.stringify(stretches.map(({ first }) => conversationNumberOf(first))),
    limit + 1,
  )
  return parse(row)
}

/** Counted, or estimated from how much of the stretches the results cover. */
function estimate(
  places: readonly MessageLocator[],
  stretches: readonly PlaceRange[],
  limit: number,
): number {
  const lowest = places[limit]
  if (lowest === undefined) return places.length
  const sizeAbove = (place: MessageLocator) =>
    stretches.reduce((sum, { first, last }) => sum + Math.max(0, last - Math.max(first, place) + 1), 0)
  const share = sizeAbove(0 as MessageLocator) / Math.max(1, sizeAbove(lowest))
  return Math.max(places.length, Math.round(places.length * share))
}
