import type { Measure, Piece } from './find-pieces.ts'
import { isInsideSurrogatePair } from './split-text.ts'

interface Wanted {
  /** The pieces before the chunk, up to where its section begins. */
  readonly before: readonly Piece[]
  /** Where the chunk starts without overlap. */
  readonly at: number
  /** The maximum number of tokens for the overlap. */
  readonly room: number
}

/** How much the split cost counts against a wrong size. */
const COST_SHARE = 0.5
/** Upper bound of characters per token, averaged over a sentence. */
const CHARACTERS_PER_TOKEN = 12

/** Where a chunk with overlap starts; `at` if there is no room for overlap. */
export function findOverlap(measure: Measure, wanted: Wanted): number {
  const { leastOverlap, mostOverlap } = measure.sizes
  const most = Math.min(mostOverlap, wanted.room)
  if (most < leastOverlap || most === 0) return wanted.at
  return beforePiece(measure, wanted, most) ?? beforeWord(measure, wanted, most) ?? wanted.at
}

/** At the start of a sentence, a line or a row. */
function beforePiece(
  { text, count, sizes }: Measure,
  { before, at }: Wanted,
  most: number,
): number | undefined {
  let best: { readonly start: number; readonly score: number } | undefined
  for (const { start, cost } of before.toReversed()) {
    const tokens = count(text.slice(start, at))
    if (tokens > most) break
    if (tokens < sizes.leastOverlap) continue
    const score = Math.abs(tokens - sizes.overlap) / sizes.overlap + cost * COST_SHARE
    if (best === undefined || score < best.score) best = { start, score }
  }
  return best?.start
}

/** Inside a sentence or a line of code; table rows are never split for overlap. */
function beforeWord(
  { text, count, sizes }: Measure,
  { before, at }: Wanted,
  most: number,
): number | undefined {
  const torn = before.findLast((piece) => count(text.slice(piece.start, at)) > most)
  if (torn === undefined || torn.isRow) return undefined
  const from = Math.max(torn.start, at - most * CHARACTERS_PER_TOKEN)
  const places = wordStarts(text, from, at)
  const inRange = (place: number) => {
    const tokens = count(text.slice(place, at))
    return tokens >= sizes.leastOverlap && tokens <= most
  }
  const wanted = Math.min(sizes.overlap, most)
  const place = firstWithin(places, (start) => count(text.slice(start, at)) <= wanted)
  return [place, ...places].slice(0, 2).find((start) => start !== undefined && inRange(start))
}

/** Where words start; if there is only one word, any character. */
function wordStarts(text: string, from: number, to: number): readonly number[] {
  const slice = text.slice(from, to)
  const starts = [...slice.matchAll(/\s+(?=\S)/g)].map(({ index, 0: gap }) => from + index + gap.length)
  if (starts.length > 1) return starts
  return Array.from({ length: to - from }, (_, i) => from + i).filter(
    (at) => !isInsideSurrogatePair(text, at),
  )
}

/** Binary search: token counts decrease with the position. */
function firstWithin(places: readonly number[], isWithin: (place: number) => boolean): number | undefined {
  let low = 0
  for (let high = places.length; low < high; ) {
    const middle = (low + high) >> 1
    if (isWithin(places[middle] as number)) high = middle
    else low = middle + 1
  }
  return places[low]
}
