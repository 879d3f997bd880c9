// A sitting (session) is a stretch of a conversation without a long pause. Only candidates are known here: two of them
// with less than the pause between them belong to one sitting, and so does everything between them.

import { conversationNumberOf, type MessageLocator } from '../../domain/locator.ts'
import type { MessageMeta } from '../../store/recall-store.ts'

export interface Sitting {
  readonly from: MessageLocator
  readonly to: MessageLocator
}

/** The sitting of each candidate. */
export function findSittings(
  heads: readonly MessageMeta[],
  pauseMs: number,
): ReadonlyMap<MessageLocator, Sitting> {
  const sorted = [...heads].sort((one, other) => one.locator - other.locator)
  const sittings = new Map<MessageLocator, Sitting>()
  for (let first = 0; first < sorted.length; ) {
    let last = first
    while (isSameSitting(sorted[last], sorted[last + 1], pauseMs)) last += 1
    const sitting = {
      from: (sorted[first] as MessageMeta).locator,
      to: (sorted[last] as MessageMeta).locator,
    }
    for (; first <= last; first++) sittings.set((sorted[first] as MessageMeta).locator, sitting)
  }
  return sittings
}

function isSameSitting(
  one: MessageMeta | undefined,
  other: MessageMeta | undefined,
  pauseMs: number,
): boolean {
  if (one === undefined || other === undefined) return false
  if (conversationNumberOf(one.locator) !== conversationNumberOf(other.locator)) return false
  return Math.abs(other.createdAt.getTime() - one.createdAt.getTime()) <= pauseMs
}
