// The scope of a lookup. A few conversations are a list, each with a range of places; many are the whole workspace,
// and each hit is checked for whether it belongs to it.

import { conversationNumberOf, type MessageLocator, positionOf, toLocator } from '../../../domain/locator.ts'
import type { RecallScope, ScopeSize } from '../../recall-store.ts'
import { findWorkspace } from '../../sql/workspaces.ts'
import type { Connection } from '../connection.ts'
import { execute } from './../dialect.ts'

interface ScopedConversation {
  readonly number: number
  readonly message_count: number
}

export interface Scope {
  readonly workspace: number
  /** Highest first; undefined for all conversations of the workspace with memory on. */
  readonly conversations?: readonly ScopedConversation[]
  /** All conversations in scope, in any order. */
  readonly all: () => readonly ScopedConversation[]
  /** The scope covers the whole file: no other workspace, and no conversation with memory off. */
  readonly isWholeFile: boolean
}

/**
 * With this many conversations, searching one by one takes as long as checking which hits belong to the workspace.
 */
export const FEW_CONVERSATIONS = 32

/** Undefined if there is nothing to search. */
export function readScope(connection: Connection, scope: RecallScope): Scope | undefined {
  const workspace = execute(connection, findWorkspace(scope.workspace))
  if (workspace === undefined) return undefined
  if (scope.conversations !== undefined)
    return toScope(workspace, readNamed(connection, workspace, scope.conversations))
  const some = connection.all<ScopedConversation>(
    'SELECT number, message_count FROM conversation WHERE workspace = ? AND is_memory_on = 1 LIMIT ?',
    workspace,
    FEW_CONVERSATIONS + 1,
  )
  if (some.length <= FEW_CONVERSATIONS)
    return toScope(
      workspace,
      some.sort((a, b) => b.number - a.number),
    )
  let all: readonly ScopedConversation[] | undefined
  return {
    workspace,
    isWholeFile: isWholeFile(connection, workspace),
    all: () => {
      all ??= readAll(connection, workspace)
      return all
    },
  }
}

const toScope = (workspace: number, conversations: readonly ScopedConversation[]): Scope => ({
  workspace,
  conversations,
  all: () => conversations,
  isWholeFile: false,
})

function isWholeFile(connection: Connection, workspace: number): boolean {
  const other = connection.get(
    `SELECT 1 WHERE EXISTS (SELECT 1 FROM workspace WHERE number <> ?1)
       OR EXISTS (SELECT 1 FROM conversation WHERE workspace = ?1 AND is_memory_on = 0)`,
    workspace,
  )
  return other === undefined
}

/** Returns one string, since rows would take longer. The index by last use covers it: no conversation row is read. */
function readAll(connection: Connection, workspace: number): readonly ScopedConversation[] {
  const row = connection.get<{ sizes: string }>(
    `SELECT json_group_array(json_array(number, message_count)) AS sizes FROM conversation
     WHERE workspace = ? AND is_memory_on = 1`,
    workspace,
  )
  const sizes: readonly (readonly [number, number])[] = JSON.parse(row?.sizes ?? '[]')
  return sizes.map(([number, message_count]) => ({ number, message_count }))
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

/** Both ends are inclusive. */
export interface PlaceRange {
  readonly first: MessageLocator
  readonly last: MessageLocator
}

/** Merges conversations with consecutive numbers into one range. Highest first. */
export function toRanges(conversations: readonly ScopedConversation[]): readonly PlaceRange[] {
  const ranges: PlaceRange[] = []
  for (const { number } of conversations) {
    const above = ranges.at(-1)
    const isNext = above !== undefined && above.first === toLocator(number + 1, 0)
    const last = isNext ? above.last : ((toLocator(number + 1, 0) - 1) as MessageLocator)
    if (isNext) ranges.pop()
    ranges.push({ first: toLocator(number, 0), last })
  }
  return ranges
}

/** The number of messages in scope, and how many of them are at this place or above. */
export function countDownTo(
  scope: Scope,
  place: MessageLocator,
): { readonly total: number; readonly above: number } {
  const here = conversationNumberOf(place)
  let [total, whole, cut] = [0, 0, 0]
  for (const { number, message_count } of scope.all()) {
    total += message_count
    if (number > here) whole += message_count
    if (number === here) cut = message_count
  }
  return { total, above: whole + Math.max(cut - positionOf(place), 1) }
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
