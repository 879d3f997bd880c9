// Facts of which at most one is valid at any moment, sorted by start. Corrected mistakes are included, but
// skipped.

import { isTrueAt } from '../../domain/fact.ts'
import { hasHeld, type MutableFact } from './mutable-fact.ts'

export type Timeline = MutableFact[]

export function putOnTimeline(timeline: Timeline, fact: MutableFact): void {
  timeline.splice(countBegun(timeline, fact.validFrom), 0, fact)
}

export function factHeldAt(timeline: Timeline, moment: Date): MutableFact | undefined {
  for (let place = countBegun(timeline, moment) - 1; place >= 0; place--) {
    const fact = timeline[place] as MutableFact
    if (hasHeld(fact)) return isTrueAt(fact, moment) ? fact : undefined
  }
  return undefined
}

export function factBegunAfter(timeline: Timeline, moment: Date): MutableFact | undefined {
  for (let place = countBegun(timeline, moment); place < timeline.length; place++) {
    const fact = timeline[place] as MutableFact
    if (hasHeld(fact)) return fact
  }
  return undefined
}

/** How many began at or before the moment. */
function countBegun(timeline: Timeline, moment: Date): number {
  const time = moment.getTime()
  const hasBegun = (place: number): boolean => (timeline[place] as MutableFact).validFrom.getTime() <= time
  // Fast path: the latest fact usually began last.
  let [low, high] = [0, timeline.length]
  if (high > 0 && hasBegun(high - 1)) return high
  while (low < high) {
    const middle = (low + high) >>> 1
    if (hasBegun(middle)) low = middle + 1
    else high = middle
  }
  return low
}
