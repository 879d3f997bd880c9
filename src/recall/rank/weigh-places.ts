// The first pass, over positions alone: how many of the question's words are in a message and around it. A word counts
// in full in the message itself and less with every message in between, up to five, because an answer seldom repeats the
// words of the question before it.

import { type MessageLocator, positionOf } from '../../domain/locator.ts'
import type { TermMatches } from './word-matches.ts'
import { lowerBound, type WordPlaces } from './word-places.ts'

/** Weight of a word by its distance in messages. */
const NEARNESS: readonly number[] = [1, 0.75, 0.6, 0.35, 0.3, 0.25]
const REACH = NEARNESS.length - 1
/** A message is a candidate if a word is at least this near. */
const CANDIDATE_NEARNESS = 0.3
const CANDIDATE_REACH = NEARNESS.findLastIndex((value) => value >= CANDIDATE_NEARNESS)
/** Above this number of matches, neighbours of a word are not candidates, only the messages that have it. */
const MAX_PLACES_WITH_NEIGHBOURS = 150

/** How near a word is to a position: 0 to 1. */
export function nearnessAt(near: WordPlaces, place: MessageLocator): number {
  return nearnessFrom(near, place, lowerBound(near.places, place - REACH))
}

/** `from`: index of the first match within reach. */
function nearnessFrom({ places, presences }: WordPlaces, place: number, from: number): number {
  let best = 0
  for (let i = from; i < places.length && (places[i] as number) <= place + REACH; i++) {
    const other = places[i] as number
    const value = (presences[i] as number) * (NEARNESS[Math.abs(other - place)] as number)
    if (value > best && isSameConversation(other, place)) best = value
  }
  return best
}

/** Holds only for positions near each other. */
function isSameConversation(one: number, other: number): boolean {
  return positionOf(Math.max(one, other) as MessageLocator) >= Math.abs(one - other)
}

/** The positions with most of the words in or around them, best first. */
export function bestPlaces(matches: readonly TermMatches[], limit: number): readonly MessageLocator[] {
  const candidates = candidatesOf(matches)
  const sums = new Float64Array(candidates.length)
  for (const match of matches) addWord(sums, candidates, match)
  return topByScore(candidates, sums, limit)
}

/** All positions near a word, sorted and unique. */
function candidatesOf(matches: readonly WordPlaces[]): Float64Array {
  const total = matches.reduce((sum, { places: { length } }) => sum + length * (2 * reachOf(length) + 1), 0)
  const all = new Float64Array(total)
  let count = 0
  for (const { places } of matches) {
    const reach = reachOf(places.length)
    // Positions are sorted, so only those beyond the previous reach are new.
    let reached = -1
    for (let i = 0; i < places.length; i++) {
      const place = places[i] as number
      const first = place - Math.min(reach, positionOf(place as MessageLocator))
      const last = place + reach
      for (let next = Math.max(first, reached + 1); next <= last; next++) all[count++] = next
      reached = last
    }
  }
  return uniqueSorted(all.subarray(0, count).sort())
}

const reachOf = (places: number): number => (places > MAX_PLACES_WITH_NEIGHBOURS ? 0 : CANDIDATE_REACH)

function uniqueSorted(sorted: Float64Array): Float64Array {
  let kept = 0
  for (let i = 0; i < sorted.length; i++) {
    if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[kept++] = sorted[i] as number
  }
  return sorted.subarray(0, kept)
}

/** Visits only candidates near the word, each once. */
function addWord(sums: Float64Array, candidates: Float64Array, match: TermMatches): void {
  const { places, weight } = match
  let [from, next] = [0, 0]
  for (let i = 0; i < places.length; i++) {
    const place = places[i] as number
    next = Math.max(next, lowerBound(candidates, place - CANDIDATE_REACH))
    for (; (candidates[next] as number) <= place + CANDIDATE_REACH; next++) {
      const candidate = candidates[next] as number
      while ((places[from] as number) < candidate - REACH) from += 1
      sums[next] = (sums[next] as number) + weight * worthFrom(match, candidate, from)
    }
  }
}

/** The nearness of a word, plus half of it if the message itself has the word. */
function worthFrom(near: WordPlaces, place: number, from: number): number {
  const value = nearnessFrom(near, place, from)
  if (value < CANDIDATE_NEARNESS) return 0
  let own = from
  while ((near.places[own] as number) < place) own += 1
  return value + (near.places[own] === place ? (near.presences[own] as number) / 2 : 0)
}

/** Finds the lowest score that is good enough first: sorting all candidates takes much longer. */
function topByScore(candidates: Float64Array, sums: Float64Array, limit: number): readonly MessageLocator[] {
  const least = Float64Array.from(sums).sort().at(-limit) ?? 0
  const first: { place: MessageLocator; sum: number }[] = []
  for (let i = 0; i < sums.length; i++) {
    const sum = sums[i] as number
    if (sum >= least && sum > 0) first.push({ place: candidates[i] as MessageLocator, sum })
  }
  return first
    .sort((one, other) => other.sum - one.sum || other.place - one.place)
    .slice(0, limit)
    .map(({ place }) => place)
}
