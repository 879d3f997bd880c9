// Which of very many vectors may be the nearest, told by their sketches alone: first by how many bits differ, which
// is quick and rough; of the best, by a measure that is slower and finer.

import { SKETCH_BYTES, SKETCH_WORDS, SketchComparison } from './sketch.ts'

/** Sketches of one conversation. */
export interface SketchList {
  readonly sketches: Int32Array
}

export interface Chosen<List> {
  readonly list: List
  readonly position: number
}

/** Of a million vectors in clusters, 20,000 and 1,000 hold all of the ten nearest; see bench/README.md. */
const ROUGHLY = 20

export function chooseBySketch<List extends SketchList>(
  vector: Float32Array,
  lists: readonly List[],
  count: number,
): readonly Chosen<List>[] {
  const comparison = new SketchComparison(vector)
  const distances = measureAll(comparison, lists)
  const farthest = findFarthest(distances, count * ROUGHLY)
  const scored = scoreNear(comparison, lists, (index) => (distances[index] as number) <= farthest)
  return scored.sort((a, b) => b.score - a.score).slice(0, count)
}

function measureAll(comparison: SketchComparison, lists: readonly SketchList[]): Uint16Array {
  const total = lists.reduce((sum, { sketches }) => sum + sketches.length / SKETCH_WORDS, 0)
  const distances = new Uint16Array(total)
  let from = 0
  for (const { sketches } of lists) {
    comparison.measure(sketches, distances, from)
    from += sketches.length / SKETCH_WORDS
  }
  return distances
}

/** The distance within which there are at least so many, if there are. */
function findFarthest(distances: Uint16Array, count: number): number {
  const counts = new Uint32Array(257)
  for (const distance of distances) counts[distance] = (counts[distance] as number) + 1
  let farthest = 0
  for (let sum = counts[0] as number; sum < count && farthest < 256; sum += counts[farthest] as number)
    farthest += 1
  return farthest
}

interface Scored<List> extends Chosen<List> {
  readonly score: number
}

function scoreNear<List extends SketchList>(
  comparison: SketchComparison,
  lists: readonly List[],
  isNear: (index: number) => boolean,
): Scored<List>[] {
  const scored: Scored<List>[] = []
  let index = 0
  for (const list of lists) {
    const bytes = new Uint8Array(list.sketches.buffer)
    for (let at = 0; at < list.sketches.length; at += SKETCH_WORDS, index++) {
      if (!isNear(index)) continue
      const score = comparison.score(bytes.subarray(at * 4, at * 4 + SKETCH_BYTES))
      scored.push({ list, position: list.sketches[at] as number, score })
    }
  }
  return scored
}
