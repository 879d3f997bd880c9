// The positions of a word, sorted, each with a weight. Typed arrays: a question has some ten thousand positions, and maps
// would take several times as long.

import type { MessageLocator } from '../../domain/locator.ts'

export interface WordPlaces {
  /** Sorted and unique. */
  readonly places: Float64Array
  /** For each place: 1 for the word itself, a share for a synonym. */
  readonly presences: Float64Array
}

/** Accepts places in any order. If a place has both, the word itself counts. */
export function toWordPlaces(
  own: readonly number[],
  inItsPlace: { readonly places: readonly number[]; readonly share: number } = NO_PLACES,
): WordPlaces {
  const places = Float64Array.from(own).sort()
  const whole = { places, presences: new Float64Array(places.length).fill(1) }
  if (inItsPlace.places.length === 0) return whole
  const others = Float64Array.from(inItsPlace.places).sort()
  return merge(whole, { places: others, presences: new Float64Array(others.length).fill(inItsPlace.share) })
}

const NO_PLACES = { places: [], share: 0 }

/** If a place is in both, the first counts. */
export function merge(one: WordPlaces, other: WordPlaces): WordPlaces {
  const [a, b] = [one.places, other.places]
  const places = new Float64Array(a.length + b.length)
  const presences = new Float64Array(places.length)
  let count = 0
  for (let i = 0, j = 0; i < a.length || j < b.length; count++) {
    const [x, y] = [a[i] ?? Number.POSITIVE_INFINITY, b[j] ?? Number.POSITIVE_INFINITY]
    places[count] = Math.min(x, y)
    presences[count] = (x <= y ? one.presences[i] : other.presences[j]) as number
    if (x <= y) i++
    if (y <= x) j++
  }
  return { places: places.subarray(0, count), presences: presences.subarray(0, count) }
}

export function without({ places, presences }: WordPlaces, place: MessageLocator): WordPlaces {
  const at = lowerBound(places, place)
  if (places[at] !== place) return { places, presences }
  const isOther = (_: number, i: number) => i !== at
  return { places: places.filter(isOther), presences: presences.filter(isOther) }
}

/** The weight of the word in a message itself. */
export function presenceAt({ places, presences }: WordPlaces, place: MessageLocator): number {
  const at = lowerBound(places, place)
  return places[at] === place ? (presences[at] as number) : 0
}

/** Index of the first element that is not below `value`. */
export function lowerBound(sorted: ArrayLike<number>, value: number): number {
  let low = 0
  for (let high = sorted.length; low < high; ) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}
