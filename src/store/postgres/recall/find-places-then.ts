// Finds messages that have a word and were said in a time span. The newest messages with a common word may all be
// later than the span. Therefore only the range of messages within the span is searched in each overlapping
// conversation, and the cost is that of a lookup without a span. With many conversations, everything from the first
// range to the last is searched at once.

import { conversationNumberOf, type MessageLocator, toLocator } from '../../../domain/locator.ts'
import type { FoundLocators, RecallScope } from '../../recall-store.ts'
import { takeEntries } from '../find-entries.ts'
import { findMessages, toPlaceColumns } from '../message-words.ts'
import type { Session } from '../session.ts'
import type { EntryRange } from '../word-rows.ts'
import type { Term } from '../word-terms.ts'
import { type Candidate, listCandidates, type Span } from './find-in-time.ts'
import { FEW_CONVERSATIONS } from './scope.ts'

export interface WordsThen {
  readonly groups: readonly (readonly Term[])[]
  readonly limit: number
  readonly span: Span
}

/** If times are out of order, a range begins and ends with the outermost of this many messages. */
const OUT_OF_ORDER = 1000

export async function findPlacesThen(
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
