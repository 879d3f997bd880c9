// Which messages were said in a span of time. Conversations know the times of their first and last message, so that
// only those that overlap with the span are looked into, the highest first, until there are enough.

import { conversationNumberOf, type MessageLocator, positionOf, toLocator } from '../../../domain/locator.ts'
import type { FoundLocators, RecallScope, TimeLookup } from '../../recall-store.ts'
import type { Session } from '../session.ts'
import { namesOf, whereOf } from './scope.ts'

/** From the first moment until before the last, in milliseconds. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A conversation that may have messages in a span. */
export interface Candidate {
  readonly workspace: number
  readonly number: number
  readonly message_count: number
  readonly first_said_at: number
  readonly last_used_at: number
}

export async function findPlacesInTime(session: Session, lookup: TimeLookup): Promise<FoundLocators> {
  const span = toSpan(lookup)
  const candidates = await listCandidates(session, lookup, span)
  const [first] = candidates
  if (first === undefined) return { locators: [], count: 0 }
  // One more, to know whether there are.
  const looking = { workspace: first.workspace, candidates, span }
  const places = await collect(session, looking, lookup.limit + 1)
  if (places.length <= lookup.limit) return { locators: places, count: places.length }
  return { locators: places.slice(0, lookup.limit), count: await estimate(session, looking, places) }
}

export const toSpan = ({ from, to }: Pick<TimeLookup, 'from' | 'to'>): Span => ({
  from: from?.getTime() ?? Number.MIN_SAFE_INTEGER,
  to: to?.getTime() ?? Number.MAX_SAFE_INTEGER,
})

/** The highest first. */
export async function listCandidates(
  session: Session,
  scope: RecallScope,
  { from, to }: Span,
): Promise<readonly Candidate[]> {
  return session.all<Candidate>(
    `SELECT c.workspace, c.number, c.message_count, c.first_said_at, c.last_used_at FROM conversation c
     WHERE ${whereOf(scope)} AND c.last_used_at >= $3::bigint AND c.first_said_at < $4::bigint ORDER BY c.number DESC`,
    ...namesOf(scope),
    from,
    to,
  )
}

interface Looking {
  readonly workspace: number
  readonly candidates: readonly Candidate[]
  readonly span: Span
}

async function collect(
  session: Session,
  { workspace, candidates, span }: Looking,
  wanted: number,
): Promise<readonly MessageLocator[]> {
  const places: MessageLocator[] = []
  // Few at first, so that not much is found in vain where a few are enough.
  for (let first = 0, count = 2; first < candidates.length; first += count, count *= 2) {
    const numbers = candidates.slice(first, first + count).map(({ number }) => number)
    // Of each conversation those said last, put in the order of their places.
    const rows = await session.all<{ conversation: number; position: number }>(
      `SELECT s.conversation, m.position FROM unnest($2::bigint[]) AS s (conversation) CROSS JOIN LATERAL (
         SELECT position FROM message WHERE workspace = $1 AND conversation = s.conversation
           AND created_at >= $3::bigint AND created_at < $4::bigint AND erased_at IS NULL
         ORDER BY created_at DESC, position DESC LIMIT $5) m
       ORDER BY s.conversation DESC, m.position DESC`,
      workspace,
      numbers,
      span.from,
      span.to,
      wanted - places.length,
    )
    places.push(...rows.map(({ conversation, position }) => toLocator(conversation, position)))
    if (places.length >= wanted) break
  }
  return places.slice(0, wanted)
}

/**
 * Of the conversation where the limit was reached: as many as there are positions from the first said in the span to
 * the last. Of those that were not looked into: by how much of their time lies in it.
 */
async function estimate(
  session: Session,
  { workspace, candidates, span }: Looking,
  places: readonly MessageLocator[],
): Promise<number> {
  const cut = conversationNumberOf(places.at(-1) as MessageLocator)
  const inCut = places.filter((place) => conversationNumberOf(place) === cut).map(positionOf)
  const first = await session.get<{ position: number }>(
    `SELECT position FROM message WHERE workspace = $1 AND conversation = $2 AND created_at >= $3::bigint
       AND created_at < $4::bigint AND erased_at IS NULL ORDER BY created_at LIMIT 1`,
    workspace,
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
