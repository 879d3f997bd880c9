// Finds messages of a time span. Each conversation stores the times of its first and last message, so only those that
// overlap the span are searched, highest number first, until the limit is reached.

import { conversationNumberOf, type MessageLocator, positionOf, toLocator } from '../../../domain/locator.ts'
import type { FoundLocators, RecallScope, TimeLookup } from '../../recall-store.ts'
import type { Session } from '../session.ts'
import { namesOf, whereOf } from './scope.ts'

/** In milliseconds; the end is exclusive. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A conversation that may have messages in the span. */
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
  // One more than the limit, to detect whether there are more.
  const looking = { workspace: first.workspace, candidates, span }
  const places = await collect(session, looking, lookup.limit + 1)
  if (places.length <= lookup.limit) return { locators: places, count: places.length }
  return { locators: places.slice(0, lookup.limit), count: await estimate(session, looking, places) }
}

export const toSpan = ({ from, to }: Pick<TimeLookup, 'from' | 'to'>): Span => ({
  from: from?.getTime() ?? Number.MIN_SAFE_INTEGER,
  to: to?.getTime() ?? Number.MAX_SAFE_INTEGER,
})

/** Highest number first. */
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
  // Starts with few, so that little is read in vain if a few are enough.
  for (let first = 0, count = 2; first < candidates.length; first += count, count *= 2) {
    const numbers = candidates.slice(first, first + count).map(({ number }) => number)
    // The last messages of each conversation, sorted by locator.
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
 * In the conversation where the limit was reached, counts the positions from the first message of the span to the
 * last. In the conversations below it, assumes that messages are spread evenly over time.
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
