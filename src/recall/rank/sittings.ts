// A sitting is a stretch of a conversation without a long pause. Of a long conversation only the candidates are
// known: two of them with less than the pause between them belong to one sitting, and so does all that lies between.

import { conversationNumberOf, type Place } from '../../domain/place.ts'
import type { MessageHead } from '../../store/recall-store.ts'

export interface Sitting {
  readonly from: Place
  readonly to: Place
}

/** The sitting of each candidate. */
export function findSittings(heads: readonly MessageHead[], pauseMs: number): ReadonlyMap<Place, Sitting> {
  const sorted = [...heads].sort((one, other) => one.place - other.place)
  const sittings = new Map<Place, Sitting>()
  for (let first = 0; first < sorted.length; ) {
    let last = first
    while (isSameSitting(sorted[last], sorted[last + 1], pauseMs)) last += 1
    const sitting = { from: (sorted[first] as MessageHead).place, to: (sorted[last] as MessageHead).place }
    for (; first <= last; first++) sittings.set((sorted[first] as MessageHead).place, sitting)
  }
  return sittings
}

function isSameSitting(
  one: MessageHead | undefined,
  other: MessageHead | undefined,
  pauseMs: number,
): boolean {
  if (one === undefined || other === undefined) return false
  if (conversationNumberOf(one.place) !== conversationNumberOf(other.place)) return false
  return Math.abs(other.createdAt.getTime() - one.createdAt.getTime()) <= pauseMs
}
