// Where a lookup looks. Few conversations are a list of them, each a range of places; many are the whole
// workspace, where what is found has to be asked whether it belongs to it.

import { type Place, placeOf, positionOf } from '../../../domain/place.ts'
import type { RecallScope, ScopeSize } from '../../recall-store.ts'
import type { Connection } from '../connection.ts'
import { findWorkspace } from '../conversations.ts'

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
export function readScope(connection: Connection, scope: RecallScope): Scope | undefined {
  const workspace = findWorkspace(connection, scope.workspace)
  if (workspace === undefined) return undefined
  if (scope.conversations !== undefined)
    return { workspace, conversations: readNamed(connection, workspace, scope.conversations) }
  const some = connection.all<ScopedConversation>(
    'SELECT number, message_count FROM conversation WHERE workspace = ? AND is_memory_on = 1 LIMIT ?',
    workspace,
    FEW_CONVERSATIONS + 1,
  )
  if (some.length > FEW_CONVERSATIONS) return { workspace }
  return { workspace, conversations: some.sort((a, b) => b.number - a.number) }
}

function readNamed(
  connection: Connection,
  workspace: number,
  ids: readonly string[],
): readonly ScopedConversation[] {
  return connection.all<ScopedConversation>(
    `SELECT DISTINCT c.number, c.message_count FROM json_each(?) s
     CROSS JOIN conversation c ON c.workspace = ? AND c.id = s.value ORDER BY c.number DESC`,
    JSON.stringify(ids),
    workspace,
  )
}

/** From the first place to the last. */
export interface PlaceRange {
  readonly first: Place
  readonly last: Place
}

/** Conversations whose numbers follow one another are one range. The highest first. */
export function toRanges(conversations: readonly ScopedConversation[]): readonly PlaceRange[] {
  const ranges: PlaceRange[] = []
  for (const { number } of conversations) {
    const above = ranges.at(-1)
    const isNext = above !== undefined && above.first === placeOf(number + 1, 0)
    const last = isNext ? above.last : ((placeOf(number + 1, 0) - 1) as Place)
    if (isNext) ranges.pop()
    ranges.push({ first: placeOf(number, 0), last })
  }
  return ranges
}

/** How many messages of the scope there are, and how many of them stand at this place or above. */
export function countDownTo(
  connection: Connection,
  scope: Scope,
  place: Place,
): { readonly total: number; readonly above: number } {
  const number = Math.floor(place / placeOf(1, 0))
  const { total, whole, cut } =
    scope.conversations === undefined
      ? sumWorkspace(connection, scope.workspace, number)
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

/** The index by use has all of it: no conversation is read. */
function sumWorkspace(connection: Connection, workspace: number, number: number): Sums {
  return connection.get<Sums>(
    `SELECT sum(message_count) AS total, sum(iif(number > ?2, message_count, 0)) AS whole,
       sum(iif(number = ?2, message_count, 0)) AS cut FROM conversation WHERE workspace = ?1 AND is_memory_on = 1`,
    workspace,
    number,
  ) as Sums
}

export function readScopeSize(connection: Connection, scope: RecallScope): ScopeSize {
  const ids = scope.conversations
  const row = connection.get<ScopeSize>(
    `SELECT count(*) AS conversations, coalesce(sum(message_count), 0) AS messages,
       coalesce(sum(token_count), 0) AS tokens FROM conversation
     WHERE workspace = (SELECT number FROM workspace WHERE id = ?)
       AND ${ids === undefined ? 'is_memory_on = 1' : 'id IN (SELECT value FROM json_each(?))'}`,
    scope.workspace,
    ...(ids === undefined ? [] : [JSON.stringify(ids)]),
  ) as ScopeSize
  return { ...row }
}
