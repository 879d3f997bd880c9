// Where a lookup looks. Few conversations are a list of them, each a range of places; many are the whole
// workspace, where what is found has to be asked whether it belongs to it.

import { conversationNumberOf, type Place, placeOf, positionOf } from '../../../domain/place.ts'
import type { RecallScope, ScopeSize } from '../../recall-store.ts'
import type { Session } from '../connection.ts'
import { findWorkspace } from '../conversations.ts'
import { type EntryRange, EVERYWHERE } from '../find-entries.ts'

interface ScopedConversation {
  readonly number: number
  readonly message_count: number
}

export interface Scope {
  readonly workspace: number
  /** The highest first; undefined for all of the workspace whose memory is on. */
  readonly conversations?: readonly ScopedConversation[]
}

/** Looking into so many conversations one by one takes as long as finding out what belongs to the workspace. */
export const FEW_CONVERSATIONS = 32

/** Undefined where there is nothing to look through. */
export async function readScope(session: Session, scope: RecallScope): Promise<Scope | undefined> {
  const workspace = await findWorkspace(session, scope.workspace)
  if (workspace === undefined) return undefined
  if (scope.conversations !== undefined)
    return { workspace, conversations: await readNamed(session, workspace, scope.conversations) }
  const some = await session.all<ScopedConversation>(
    'SELECT number, message_count FROM conversation WHERE workspace = $1 AND is_memory_on LIMIT $2',
    workspace,
    FEW_CONVERSATIONS + 1,
  )
  if (some.length > FEW_CONVERSATIONS) return { workspace }
  return { workspace, conversations: some.sort((a, b) => b.number - a.number) }
}

async function readNamed(
  session: Session,
  workspace: number,
  ids: readonly string[],
): Promise<readonly ScopedConversation[]> {
  return session.all<ScopedConversation>(
    `SELECT number, message_count FROM conversation WHERE workspace = $1 AND id = ANY($2::text[]) ORDER BY number DESC`,
    workspace,
    ids,
  )
}

/** Conversations whose numbers follow one another are one range. Where there are many, all of the workspace. */
export function toRanges({ conversations }: Scope): readonly EntryRange[] {
  if (conversations === undefined || conversations.length > FEW_CONVERSATIONS) return EVERYWHERE
  const ranges: EntryRange[] = []
  for (const { number } of conversations) {
    const above = ranges.at(-1)
    const isNext = above !== undefined && above.first === placeOf(number + 1, 0)
    const last = isNext ? above.last : placeOf(number + 1, 0) - 1
    if (isNext) ranges.pop()
    ranges.push({ first: placeOf(number, 0), last })
  }
  return ranges
}

/** Keeps the places that a scope has, of those that its ranges let through. */
export function filterScope(
  session: Session,
  scope: Scope,
): (places: readonly number[]) => Promise<readonly number[]> {
  if (scope.conversations === undefined) return (places) => keepRemembered(session, scope.workspace, places)
  const numbers = new Set(scope.conversations.map(({ number }) => number))
  return async (places) => places.filter((place) => numbers.has(conversationNumberOf(place as Place)))
}

async function keepRemembered(
  session: Session,
  workspace: number,
  places: readonly number[],
): Promise<readonly number[]> {
  const asked = [...new Set(places.map((place) => conversationNumberOf(place as Place)))]
  const rows = await session.all<{ number: number }>(
    'SELECT number FROM conversation WHERE workspace = $1 AND number = ANY($2::bigint[]) AND is_memory_on',
    workspace,
    asked,
  )
  const remembered = new Set(rows.map(({ number }) => number))
  return places.filter((place) => remembered.has(conversationNumberOf(place as Place)))
}

/** How many messages of the scope there are, and how many of them stand at this place or above. */
export async function countDownTo(
  session: Session,
  scope: Scope,
  place: Place,
): Promise<{ readonly total: number; readonly above: number }> {
  const number = conversationNumberOf(place)
  const { total, whole, cut } =
    scope.conversations === undefined
      ? await sumWorkspace(session, scope.workspace, number)
      : sumList(scope.conversations, number)
  return { total, above: whole + Math.max(cut - positionOf(place), 1) }
}

interface Sums {
  readonly total: number
  /** In conversations with higher numbers. */
  readonly whole: number
  /** In the conversation itself. */
  readonly cut: number
}

function sumList(conversations: readonly ScopedConversation[], number: number): Sums {
  const sum = (chosen: (conversation: ScopedConversation) => boolean) =>
    conversations.filter(chosen).reduce((total, { message_count }) => total + message_count, 0)
  return {
    total: sum(() => true),
    whole: sum((conversation) => conversation.number > number),
    cut: sum((conversation) => conversation.number === number),
  }
}

async function sumWorkspace(session: Session, workspace: number, number: number): Promise<Sums> {
  return (await session.get<Sums>(
    `SELECT coalesce(sum(message_count), 0) AS total,
       coalesce(sum(message_count) FILTER (WHERE number > $2), 0) AS whole,
       coalesce(sum(message_count) FILTER (WHERE number = $2), 0) AS cut
     FROM conversation WHERE workspace = $1 AND is_memory_on`,
    workspace,
    number,
  )) as Sums
}

export async function readScopeSize(session: Session, scope: RecallScope): Promise<ScopeSize> {
  const ids = scope.conversations
  return (await session.get<ScopeSize>(
    `SELECT count(*) AS conversations, coalesce(sum(message_count), 0) AS messages,
       coalesce(sum(token_count), 0) AS tokens FROM conversation
     WHERE workspace = (SELECT number FROM workspace WHERE id = $1)
       AND ${ids === undefined ? 'is_memory_on' : 'id = ANY($2::text[])'}`,
    scope.workspace,
    ...(ids === undefined ? [] : [ids]),
  )) as ScopeSize
}
