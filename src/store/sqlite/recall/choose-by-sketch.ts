// Which of very many vectors may be the nearest, told by their sketches alone: first by how many bits differ, which
// is quick and rough; of the best, by a measure that is slower and finer.

import { SKETCH_WORDS, SketchComparison } from '../../sketch.ts'

/** Sketches of one conversation. */
export interface SketchList {
  readonly sketches: Int32Array
}

export interface Chosen<List> {
  readonly list: List
  readonly position: number
}

/** So many times as many are looked at more closely as are chosen; see bench/README.md for what that finds. */
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
  /** Where its words begin. */
  readonly at: number
}

/** So many that differ in the fewest bits, and as many more as differ no less. */
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

/** How many bits differ, for all of them in order. */
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

/** The distance within which there are at least so many, if there are. */
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
