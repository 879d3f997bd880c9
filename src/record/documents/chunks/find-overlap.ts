import type { Measure, Piece } from './piece.ts'
import { isHalf } from './split-text.ts'

interface Wanted {
  /** The pieces before the chunk, up to where its section begins. */
  readonly before: readonly Piece[]
  /** Where the chunk's own words begin. */
  readonly at: number
  /** The most tokens that there is room for. */
  readonly room: number
}

/** How much a worse place counts against one whose size is off. */
const COST_SHARE = 0.5
/** No token has more characters than this, on average over a sentence. */
const CHARACTERS_PER_TOKEN = 12

/** Where a chunk begins that repeats the end of the one before it; `at`, where there is no room for that. */
export function findOverlap(measure: Measure, wanted: Wanted): number {
  const { leastOverlap, mostOverlap } = measure.sizes
  const most = Math.min(mostOverlap, wanted.room)
  if (most < leastOverlap || most === 0) return wanted.at
  return beforePiece(measure, wanted, most) ?? beforeWord(measure, wanted, most) ?? wanted.at
}

/** At the beginning of a sentence, a line or a row. */
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

/** Rows are not torn apart for it; a sentence or a line of code is. */
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

/** Where words begin; where there is only one word, any character will do. */
function wordStarts(text: string, from: number, to: number): readonly number[] {
  const slice = text.slice(from, to)
  const starts = [...slice.matchAll(/\s+(?=\S)/g)].map(({ index, 0: gap }) => from + index + gap.length)
  if (starts.length > 1) return starts
  return Array.from({ length: to - from }, (_, i) => from + i).filter((at) => !isHalf(text, at))
}

/** The tokens get fewer from place to place: the first where they are few enough, by halving. */
function firstWithin(places: readonly number[], isWithin: (place: number) => boolean): number | undefined {
  let low = 0
  for (let high = places.length; low < high; ) {
    const middle = (low + high) >> 1
    if (isWithin(places[middle] as number)) high = middle
    else low = middle + 1
  }
  return places[low]
}
