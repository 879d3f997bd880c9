// Where to cut. Among all ways to cut the pieces into chunks that fit, the one that loses least: chunks should be of
// a good size, and begin where something begins. Each way is judged by the sum of what its cuts cost, and the best
// way to reach a place is the best way to reach an earlier one and a chunk from there: a few dozen earlier places
// have to be looked at for each, whatever the length of the document.

import type { ChunkSizes, Piece } from './piece.ts'

/** A chunk that is nearly empty costs as much as three cut paragraphs and more. */
const EMPTY = 2
/** A chunk that is a little too small is worse than a cut between two sentences. */
const TOO_SMALL = 0.4
/** So that a few large ones are better than many. */
const PER_CHUNK = 0.1
/** No room for what it shares with the one before. */
const WITHOUT_OVERLAP = 0.3

/** The numbers of the pieces that chunks begin with; the first is 0. */
export function chooseBreaks(pieces: readonly Piece[], sizes: ChunkSizes): readonly number[] {
  const sums = runningSums(pieces)
  const cost = new Float64Array(pieces.length + 1).fill(Number.POSITIVE_INFINITY)
  const cameFrom = new Int32Array(pieces.length + 1)
  cost[0] = 0
  for (let end = 1; end <= pieces.length; end++) {
    const cut = pieces[end]?.cost ?? 0
    for (let start = end - 1; start >= 0; start--) {
      const own = (sums[end] as number) - (sums[start] as number)
      if (own > sizes.most && start < end - 1) break
      const before = sums[start] as number
      const total = (cost[start] as number) + cut + costOfChunk({ own, before, first: pieces[start] }, sizes)
      if (total >= (cost[end] as number)) continue
      cost[end] = total
      cameFrom[end] = start
    }
  }
  return walkBack(cameFrom)
}

function runningSums(pieces: readonly Piece[]): Float64Array {
  const sums = new Float64Array(pieces.length + 1)
  for (const [i, { tokens }] of pieces.entries()) sums[i + 1] = (sums[i] as number) + tokens
  return sums
}

interface Candidate {
  /** Its tokens, without those that it repeats. */
  readonly own: number
  /** The tokens that stand before it, some of which it may repeat. */
  readonly before: number
  readonly first: Piece | undefined
}

function costOfChunk({ own, before, first }: Candidate, sizes: ChunkSizes): number {
  const overlap = Math.min(sizes.overlap, before)
  const size = own + overlap + (first?.head?.tokens ?? 0)
  const isCrowded = before > 0 && size - overlap + Math.min(sizes.leastOverlap, before) > sizes.most
  const costOfOverlap = isCrowded ? WITHOUT_OVERLAP : 0
  return PER_CHUNK + costOfSmallness(size, sizes) + costOfOverlap + costOfExcess(size - overlap, sizes)
}

const costOfSmallness = (size: number, { least }: ChunkSizes): number =>
  size >= least ? 0 : TOO_SMALL + EMPTY * ((least - size) / least) ** 2

/** Only a single piece can be too large, where a table's head comes on top: it then goes without the head. */
const costOfExcess = (size: number, { most }: ChunkSizes): number => (size > most ? EMPTY : 0)

function walkBack(cameFrom: Int32Array): readonly number[] {
  const starts: number[] = []
  for (let end = cameFrom.length - 1; end > 0; end = cameFrom[end] as number)
    starts.push(cameFrom[end] as number)
  return starts.reverse()
}
