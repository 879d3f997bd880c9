// Which messages have a word. The index hands out places in order, the highest first, and stops at the limit: a
// word in every second message costs no more than a rare one.
//
// One string for all places rather than a row for each: rows would take three times as long to get here.

import type { MessageLocator } from '../../../domain/locator.ts'
import type { FoundLocators, WordLookup } from '../../recall-store.ts'
import type { Connection } from '../connection.ts'
import { matchGroups, matchInWorkspace } from '../word-index.ts'
import { toSpan } from './find-in-time.ts'
import { findPlacesThen } from './find-places-then.ts'
import { countDownTo, type PlaceRange, readScope, type Scope, toRanges } from './scope.ts'

const NOTHING: FoundLocators = { locators: [], count: 0 }

/** How many of the file are looked at before other workspaces are left out by the index, which takes longer each. */
const LOOKED_AT = 10_000

/** All on one state of the file. The words of a question have one scope, which is read once. */
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
  // One more, to know whether there are.
  const wanted = limit + 1
  const places =
    scope.conversations === undefined
      ? findInWorkspace(connection, scope, { match, wanted })
      : findInRanges(connection, toRanges(scope.conversations), { match, wanted })
  return { locators: places.slice(0, limit), count: countOf(scope, places, limit) }
}

/** Counted, or estimated from how far down the scope they reach. */
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

// FTS5 goes to the end of a range only where the bound is an integer, and drivers hand in large numbers as reals.
const IN_RANGE = `SELECT json_group_array(place) AS places FROM (
  SELECT rowid AS place FROM message_words WHERE message_words MATCH ?
    AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER) ORDER BY rowid DESC LIMIT ?)`

/** Asked of what is found: the index cannot tell it of many conversations as fast. */
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
 * In many files there is one workspace, and nothing has to be asked. Where there are several, or the word is rare, the
 * first look has all that is wanted. Only where others have the word as well, and far more often, is it worth asking
 * the index for both.
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
