// The scope of a lookup: the named conversations, or all conversations of the workspace with memory on. Statements
// resolve the names themselves, so nothing has to be read before.

import { conversationNumberOf, type MessageLocator, positionOf } from '../../../domain/locator.ts'
import type { RecallScope, ScopeSize } from '../../recall-store.ts'
import type { SqlValue } from '../driver.ts'
import { EVERYWHERE } from '../find-entries.ts'
import { hiddenLists, type Session } from '../session.ts'
import type { WordScope } from '../word-rows.ts'

/** Looking into this many conversations one by one takes as long as filtering the results of all. */
export const FEW_CONVERSATIONS = 32

/** Condition for conversations `c` in the scope; the first two parameters of the statement are its names. */
export function whereOf({ conversations }: RecallScope): string {
  const named =
    conversations === undefined ? '$2::text[] IS NULL AND c.is_memory_on' : 'c.id = ANY($2::text[])'
  return `c.workspace = (SELECT number FROM workspace WHERE id = $1) AND ${named}`
}

export const namesOf = ({ workspace, conversations }: RecallScope): readonly [SqlValue, SqlValue] => [
  workspace,
  conversations ?? null,
]

/** The part of the word index to search. */
export function wordScopeOf({ workspace, conversations }: RecallScope): Omit<WordScope, 'index'> {
  if (conversations === undefined) return { workspace, ranges: EVERYWHERE, isRemembered: true }
  return { workspace, ranges: conversations.length > FEW_CONVERSATIONS ? EVERYWHERE : { conversations } }
}

/** Keeps the locators that are in the scope. */
export function filterScope(
  session: Session,
  scope: RecallScope,
): (places: readonly number[]) => Promise<readonly number[]> {
  if ((scope.conversations?.length ?? 0) <= FEW_CONVERSATIONS) return async (places) => places
  return async (places) => {
    const found = [...new Set(places.map((place) => conversationNumberOf(place as MessageLocator)))]
    const rows = await session.all<{ number: number }>(
      `SELECT c.number FROM conversation c WHERE ${whereOf(scope)} AND c.number = ANY($3::bigint[])`,
      ...namesOf(scope),
      found,
    )
    const numbers = new Set(rows.map(({ number }) => number))
    return places.filter((place) => numbers.has(conversationNumberOf(place as MessageLocator)))
  }
}

interface Sums {
  readonly place: MessageLocator
  readonly total: number
  /** Messages in conversations with higher numbers. */
  readonly whole: number
  /** Messages in the conversation itself. */
  readonly cut: number
}

interface Reached {
  readonly total: number
  readonly above: number
}

/** Number of messages in the scope, and how many of them are at or above each locator. */
export async function countDownTo(
  session: Session,
  scope: RecallScope,
  places: readonly MessageLocator[],
): Promise<ReadonlyMap<MessageLocator, Reached>> {
  if (places.length === 0) return new Map()
  const countIn = (which: string) =>
    `(SELECT coalesce(sum(c.message_count), 0) FROM conversation c WHERE ${whereOf(scope)} ${which})`
  const rows = await session.all<Sums>(
    `SELECT s.place, ${countIn('')} AS total, ${countIn('AND c.number > s.number')} AS whole,
       ${countIn('AND c.number = s.number')} AS cut
     FROM ${hiddenLists('$3::bigint[]', '$4::bigint[]')} AS s (place, number)`,
    ...namesOf(scope),
    places,
    places.map(conversationNumberOf),
  )
  return new Map(
    rows.map(({ place, total, whole, cut }) => [
      place,
      { total, above: whole + Math.max(cut - positionOf(place), 1) },
    ]),
  )
}

export async function readScopeSize(session: Session, scope: RecallScope): Promise<ScopeSize> {
  return (await session.get<ScopeSize>(
    `SELECT count(*) AS conversations, coalesce(sum(c.message_count), 0) AS messages,
       coalesce(sum(c.token_count), 0) AS tokens FROM conversation c WHERE ${whereOf(scope)}`,
    ...namesOf(scope),
  )) as ScopeSize
}
