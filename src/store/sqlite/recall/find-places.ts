// Finds messages by word. The index returns places in order, highest first, and stops at the limit: a word in half
// of all messages costs no more than a rare one.
//
// All places are returned in one string, since one row each would take three times as long.

import type { MessageLocator } from '../../../domain/locator.ts'
import type { FoundLocators, WordLookup } from '../../recall-store.ts'
import type { Connection } from '../connection.ts'
import { matchGroups, matchInWorkspace } from '../word-index.ts'
import { toSpan } from './find-in-time.ts'
import { findPlacesThen } from './find-places-then.ts'
import { countDownTo, type PlaceRange, readScope, type Scope, toRanges } from './scope.ts'

const NOTHING: FoundLocators = { locators: [], count: 0 }

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
      return scope === undefined ? NOTHING : findInScope(connection, scope, lookup)
    })
  })
}

function findInScope(connection: Connection, scope: Scope, lookup: WordLookup): FoundLocators {
  const match = matchGroups(lookup.allOf)
  if (match === undefined) return NOTHING
  const { limit } = lookup
  if (lookup.from !== undefined || lookup.to !== undefined) {
    return findPlacesThen(connection, scope, { match, limit, span: toSpan(lookup) })
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
