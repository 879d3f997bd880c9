// Finds messages by time. Conversations store the times of their first and last message, so only those that overlap
// the span are read, highest first, until the limit is reached.

import { conversationNumberOf, type MessageLocator, positionOf, toLocator } from '../../../domain/locator.ts'
import type { FoundLocators, TimeLookup } from '../../recall-store.ts'
import type { Connection } from '../connection.ts'
import { readScope, type Scope } from './scope.ts'

/** In milliseconds; `to` is exclusive. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A conversation that may have messages in a span. */
export interface Candidate {
  readonly number: number
  readonly message_count: number
  readonly first_said_at: number
  readonly last_used_at: number
}

const NO_LOCATORS: FoundLocators = { locators: [], count: 0 }

export function findPlacesInTime(connection: Connection, lookup: TimeLookup): FoundLocators {
  const span = toSpan(lookup)
  return connection.snapshot(() => {
    const scope = readScope(connection, lookup)
    if (scope === undefined) return NO_LOCATORS
    const candidates = listCandidates(connection, scope, span)
    // One more than the limit, to know whether there are more.
    const places = collect(connection, candidates, { span, wanted: lookup.limit + 1 })
    if (places.length <= lookup.limit) return { locators: places, count: places.length }
    const count = estimate(connection, candidates, { span, places })
    return { locators: places.slice(0, lookup.limit), count }
  })
}

export const toSpan = ({ from, to }: Pick<TimeLookup, 'from' | 'to'>): Span => ({
  from: from?.getTime() ?? Number.MIN_SAFE_INTEGER,
  to: to?.getTime() ?? Number.MAX_SAFE_INTEGER,
})

/** Highest first. */
export function listCandidates(
  connection: Connection,
  scope: Scope,
  { from, to }: Span,
): readonly Candidate[] {
  const isListed = scope.conversations !== undefined
  return connection.all<Candidate>(
    `SELECT number, message_count, first_said_at, last_used_at FROM conversation
     WHERE workspace = ? AND last_used_at >= ? AND first_said_at < ?
       AND ${isListed ? 'number IN (SELECT value FROM json_each(?))' : 'is_memory_on = 1'} ORDER BY number DESC`,
    scope.workspace,
    from,
    to,
    ...(isListed ? [JSON.stringify(scope.conversations.map(({ number }) => number))] : []),
  )
}

function collect(
  connection: Connection,
  candidates: readonly Candidate[],
  { span, wanted }: { readonly span: Span; readonly wanted: number },
): readonly MessageLocator[] {
  const places: MessageLocator[] = []
  // Small batches first, so that little is read in vain if a few conversations are enough.
  for (let first = 0, count = 2; first < candidates.length; first += count, count *= 2) {
    const numbers = candidates.slice(first, first + count).map(({ number }) => number)
    const more = wanted - places.length
    for (const { number, positions } of readPositions(connection, numbers, { span, most: more }))
      places.push(...positions.sort((a, b) => b - a).map((position) => toLocator(number, position)))
    if (places.length >= wanted) break
  }
  return places.slice(0, wanted)
}

/** For each conversation, in order. */
function readPositions(
  connection: Connection,
  numbers: readonly number[],
  { span, most }: { readonly span: Span; readonly most: number },
): readonly { readonly number: number; readonly positions: number[] }[] {
  const row = connection.get<{ found: string }>(
    `SELECT json_group_array(json_object('number', s.value, 'positions', json((
       SELECT json_group_array(position) FROM (
         SELECT position FROM message WHERE conversation = s.value AND created_at >= ?1 AND created_at < ?2
           AND erased_at IS NULL ORDER BY created_at DESC, position DESC LIMIT ?3))))) AS found FROM json_each(?4) s`,
    span.from,
    span.to,
    most,
    JSON.stringify(numbers),
  )
  return JSON.parse(row?.found ?? '[]')
}

/**
 * For the conversation where the limit was reached: the number of positions from the first message in the span to
 * the last. For those that were not read: the share of their time that overlaps the span.
 */
function estimate(
  connection: Connection,
  candidates: readonly Candidate[],
  { span, places }: { readonly span: Span; readonly places: readonly MessageLocator[] },
): number {
  const cut = conversationNumberOf(places.at(-1) as MessageLocator)
  const inCut = places.filter((place) => conversationNumberOf(place) === cut).map(positionOf)
  const first = connection.get<{ position: number }>(
    `SELECT position FROM message WHERE conversation = ? AND created_at >= ? AND created_at < ?
       AND erased_at IS NULL ORDER BY created_at LIMIT 1`,
    cut,
    span.from,
    span.to,
  )
  const spread = Math.max((inCut[0] ?? 0) - (first?.position ?? 0) + 1, inCut.length)
  const unseen = candidates.filter(({ number }) => number < cut)
  const rest = unseen.reduce((sum, candidate) => sum + candidate.message_count * overlap(candidate, span), 0)
  return Math.round(places.length - inCut.length + spread + rest)
}

function overlap({ first_said_at: first, last_used_at: last }: Candidate, { from, to }: Span): number {
  return (Math.min(last + 1, to) - Math.max(first, from)) / (last + 1 - first)
}
