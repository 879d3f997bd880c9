// The first look, over places alone: how much of the question's words stands in a message and around it. A word
// counts in full in the message itself and less with every message in between, up to five: an answer seldom
// repeats the words of the question before it.

import { type Place, positionOf } from '../../domain/place.ts'
import type { TermMatches } from './word-matches.ts'

/** What a word counts so many messages away. */
const NEARNESS: readonly number[] = [1, 0.75, 0.6, 0.35, 0.3, 0.25]
/** What stands farther from a hit is no candidate by itself. */
const CANDIDATE_DISTANCE = 2

/** For one word: how near it stands to each place, 0 to 1. */
export type Nearness = ReadonlyMap<Place, number>

export function nearnessOf({ places }: TermMatches): Nearness {
  const near = new Map<Place, number>()
  for (const [place, presence] of places) spreadAround(near, place, presence)
  return near
}

function spreadAround(near: Map<Place, number>, place: Place, presence: number): void {
  const before = Math.min(NEARNESS.length - 1, positionOf(place))
  for (let offset = -before; offset < NEARNESS.length; offset++) {
    const there = (place + offset) as Place
    const value = presence * (NEARNESS[Math.abs(offset)] as number)
    if ((near.get(there) ?? 0) < value) near.set(there, value)
  }
}

/** The places that have most of the words in or around them, best first. */
export function bestPlaces(
  matches: readonly TermMatches[],
  nearness: readonly Nearness[],
  limit: number,
): readonly Place[] {
  const sums = new Map<Place, number>()
  const least = NEARNESS[CANDIDATE_DISTANCE] as number
  for (const [i, near] of nearness.entries()) {
    const { weight, places } = matches[i] as TermMatches
    for (const [place, value] of near) {
      if (value < least / 2) continue
      sums.set(place, (sums.get(place) ?? 0) + weight * (value + (places.get(place) ?? 0) / 2))
    }
  }
  return [...sums]
    .sort(([place, sum], [otherPlace, otherSum]) => otherSum - sum || otherPlace - place)
    .slice(0, limit)
    .map(([place]) => place)
}
