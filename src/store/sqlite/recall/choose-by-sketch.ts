// Chooses candidates for the nearest vectors by their sketches: first by the number of differing bits, which is
// fast and approximate; then the best of those by a slower and more precise score.

import { SKETCH_WORDS, SketchComparison } from '../../sketch.ts'

/** Sketches of one conversation. */
export interface SketchList {
  readonly sketches: Int32Array
}

export interface Chosen<List> {
  readonly list: List
  readonly position: number
}

/** Candidates per result that are scored precisely; see bench/README.md for the recall this reaches. */
const ROUGHLY = 20

export function chooseBySketch<List extends SketchList>(
  vector: Float32Array,
  lists: readonly List[],
  count: number,
): readonly Chosen<List>[] {
  const comparison = new SketchComparison(vector)
  const near = findNear(comparison, lists, count * ROUGHLY)
  const scores = Float32Array.from(near, ({ list, at }) => comparison.score(list.sketches, at))
  const least = scores.toSorted().at(-count) ?? Number.NEGATIVE_INFINITY
  const chosen = near.filter((_, i) => (scores[i] as number) >= least)
  return chosen.map(({ list, at }) => ({ list, position: list.sketches[at] as number }))
}

interface Near<List> {
  readonly list: List
  /** Offset of its words. */
  readonly at: number
}

/** The `count` sketches with the fewest differing bits, and all others at the same distance. */
function findNear<List extends SketchList>(
  comparison: SketchComparison,
  lists: readonly List[],
  count: number,
): readonly Near<List>[] {
  const distances = measureAll(comparison, lists)
  const farthest = findFarthest(distances, count)
  const near: Near<List>[] = []
  let i = 0
  for (const list of lists) {
    for (let at = 0; at < list.sketches.length; at += SKETCH_WORDS) {
      if ((distances[i++] as number) <= farthest) near.push({ list, at })
    }
  }
  return near
}

/** The number of differing bits of each sketch, in order. */
function measureAll(comparison: SketchComparison, lists: readonly SketchList[]): Uint16Array {
  const countIn = ({ sketches }: SketchList) => sketches.length / SKETCH_WORDS
  const distances = new Uint16Array(lists.reduce((sum, list) => sum + countIn(list), 0))
  let from = 0
  for (const list of lists) {
    comparison.measure(list.sketches, distances, from)
    from += countIn(list)
  }
  return distances
}

/** The smallest distance that includes at least `count` sketches, if there are as many. */
function findFarthest(distances: Uint16Array, count: number): number {
  const counts = new Uint32Array(257)
  for (let i = 0; i < distances.length; i++) {
    const distance = distances[i] as number
    counts[distance] = (counts[distance] as number) + 1
  }
  let farthest = 0
  for (let sum = counts[0] as number; sum < count && farthest < 256; sum += counts[farthest] as number)
    farthest += 1
  return farthest
}
