// Finds messages that contain a word and were created in a span of time. The newest messages with a common word may
// all be later than the span: so for each conversation that overlaps the span, only the stretch within it is
// searched, and the cost is that of a lookup without a span. With many conversations, everything from the first
// stretch to the last is searched at once, up to a bound.

import { conversationNumberOf, type MessageLocator, toLocator } from '../../../domain/locator.ts'
import type { FoundLocators } from '../../recall-store.ts'
import type { Connection } from '../connection.ts'
import { matchInWorkspace } from '../word-index.ts'
import { type Candidate, listCandidates, type Span } from './find-in-time.ts'
import { FEW_CONVERSATIONS, type PlaceRange, type Scope } from './scope.ts'

export interface WordsThen {
  readonly match: string
  readonly limit: number
  readonly span: Span
}

/** If times are out of order, a stretch extends to the outermost of this many messages at either end. */
const OUT_OF_ORDER = 1000
/** With many conversations, the maximum number of messages with the word that are examined. */
const LOOKED_AT = 20_000

const SAID_THEN = `EXISTS (SELECT 1 FROM message m WHERE m.conversation = place >> 24 AND m.position = place & 0xffffff
  AND m.created_at >= ? AND m.created_at < ?)`

const IN_STRETCH = `SELECT json_group_array(place) AS places FROM (
  SELECT rowid AS place FROM message_words WHERE message_words MATCH ?
    AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER) AND ${SAID_THEN.replaceAll('place', 'message_words.rowid')}
  ORDER BY rowid DESC LIMIT ?)`

const IN_MANY = `SELECT json_group_array(place) AS places FROM (SELECT place FROM (
  SELECT rowid AS place FROM message_words WHERE message_words MATCH ?
    AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER) ORDER BY rowid DESC LIMIT ${LOOKED_AT})
  WHERE ${SAID_THEN} AND place >> 24 IN (SELECT value FROM json_each(?)) LIMIT ?)`

export function findPlacesThen(connection: Connection, scope: Scope, asked: WordsThen): FoundLocators {
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

interface PlacesRow {
  readonly places: string
}

const parse = (row: PlacesRow | undefined): readonly MessageLocator[] => JSON.parse(row?.places ?? '[]')

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
