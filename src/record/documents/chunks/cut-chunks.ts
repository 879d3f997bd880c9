// Text with its headings → chunks. A chunk is the unit that recall finds and a model reads: small enough to be
// specific, large enough to make sense on its own.
//
//  1. The text is split into sections by its headings, and sections into pieces: sentences, lines of code, table rows
//     (sections.ts, find-pieces.ts).
//  2. Sections that are too small for a chunk are joined with their neighbors (sections.ts).
//  3. Larger sections are split where the split costs least (`chooseBreaks`).
//  4. A chunk inside a section repeats the last sentences of the chunk before it, so that text around a split is
//     complete in one of them (find-overlap.ts). There is no overlap across a heading.
//
// Invariants:
//  a. Every character of the text is in a chunk; chunks are in order; the same text gives the same chunks.
//  b. No chunk exceeds the maximum number of tokens.
//  c. No character is split; a word, row or sentence that fits into a chunk is split only if necessary.
//  d. The headings in the path of a chunk apply to all of it.

import type { Chunk, DocumentText } from '../../../domain/document.ts'
import type { CountTokens } from '../../../domain/tokens.ts'
import type { Pace } from '../pace.ts'
import { findOverlap } from './find-overlap.ts'
import { addPieces, type ChunkSizes, findPieces, type Measure, type Piece, toSizes } from './find-pieces.ts'
import { type CountedSection, findSections, joinSections, type Run } from './sections.ts'

/** A chunk before it is assigned to a document. */
export type CutChunk = Omit<Chunk, 'id' | 'documentId' | 'version'>

interface Chunking {
  readonly chunkSize: number
  readonly chunkOverlap: number
  readonly count: CountTokens
  readonly pace: Pace
}

interface CutDocument {
  readonly chunks: readonly CutChunk[]
  /** Of the whole text. */
  readonly tokens: number
}

export async function cutChunks({ text, blocks }: DocumentText, chunking: Chunking): Promise<CutDocument> {
  const { pace, count } = chunking
  const measure: Measure = { text, count, sizes: toSizes(chunking.chunkSize, chunking.chunkOverlap) }
  // Counting the pieces and building the chunks take about the same time.
  const step = async (done: number) => {
    if (!pace.isDue) return
    pace.report({ step: 'cutting', done: Math.floor(done), total: text.length })
    await pace.pause()
  }
  const sections: CountedSection[] = []
  for (const section of findSections(text.length, blocks)) {
    const pieces: Piece[] = []
    for (const found of findPieces(measure, section)) {
      addPieces(pieces, found, measure.sizes)
      await step((found.at(-1)?.end ?? 0) / 2)
    }
    sections.push({ path: section.path, isWritten: section.isWritten, pieces, tokens: sum(pieces) })
  }
  const chunks: CutChunk[] = []
  for (const run of joinSections(sections, measure.sizes)) {
    for (const chunk of cutRun(measure, run)) {
      chunks.push({ index: chunks.length, ...chunk })
      await step((text.length + chunk.end) / 2)
    }
  }
  pace.report({ step: 'cutting', done: text.length, total: text.length })
  return { chunks, tokens: sections.reduce((total, { tokens }) => total + tokens, 0) }
}

const sum = (pieces: readonly Piece[]): number => pieces.reduce((total, { tokens }) => total + tokens, 0)

interface Cut {
  readonly pieces: readonly Piece[]
  /** The range of pieces. */
  readonly from: number
  readonly to: number
}

function* cutRun(measure: Measure, { sections }: Run): Generator<Omit<CutChunk, 'index'>> {
  const pieces = sections.flatMap((section) => section.pieces)
  const owners = sections.flatMap((section) => section.pieces.map(() => section))
  const breaks = chooseBreaks(pieces, measure.sizes)
  for (const [i, from] of breaks.entries()) {
    for (const cut of withinSize(measure, { pieces, from, to: breaks[i + 1] ?? pieces.length })) {
      yield { headingPath: findPath(cut, owners.slice(cut.from, cut.to)), ...toChunk(measure, cut) }
    }
  }
}

/** Token counts of pieces do not add up exactly, so a chunk that turns out too large is halved. */
function withinSize(measure: Measure, cut: Cut): readonly Cut[] {
  const { pieces, from, to } = cut
  if (to - from === 1 || measure.count(render(measure, ownRange(cut))) <= measure.sizes.most) return [cut]
  const middle = (from + to) >> 1
  return [
    ...withinSize(measure, { pieces, from, to: middle }),
    ...withinSize(measure, { pieces, from: middle, to }),
  ]
}

interface ChunkRange {
  /** The piece that contains the start. */
  readonly first: Piece | undefined
  readonly start: number
  readonly end: number
}

const ownRange = ({ pieces, from, to }: Cut): ChunkRange => {
  const first = pieces[from]
  return { first, start: first?.start ?? 0, end: pieces[to - 1]?.end ?? 0 }
}

function toChunk(measure: Measure, cut: Cut): Omit<CutChunk, 'index' | 'headingPath'> {
  const { pieces, from } = cut
  const { most, mostOverlap } = measure.sizes
  const own = ownRange(cut)
  const before = pieces.slice(Math.max(0, from - mostOverlap), from)
  let room = most - measure.count(render(measure, own))
  for (;;) {
    const start = findOverlap(measure, { before, at: own.start, room })
    if (start === own.start) return toOwnChunk(measure, own)
    const first = before.findLast((piece) => piece.start <= start)
    const text = render(measure, { first, start, end: own.end })
    const tokens = measure.count(text)
    if (tokens <= most) return { text, tokens, start, end: own.end }
    room = Math.min(room, measure.sizes.mostOverlap) - (tokens - most)
  }
}

/** A single row that does not fit together with its table header goes without the header. */
function toOwnChunk(measure: Measure, own: ChunkRange): Omit<CutChunk, 'index' | 'headingPath'> {
  const { start, end } = own
  const whole = render(measure, own)
  const tokens = measure.count(whole)
  if (tokens <= measure.sizes.most) return { text: whole, tokens, start, end }
  const text = render(measure, { first: undefined, start, end })
  return { text, tokens: measure.count(text), start, end }
}

/** The text of a chunk, with the header of a table that continues in it. */
function render({ text }: Measure, { first, start, end }: ChunkRange): string {
  const words = text
    .slice(start, end)
    .replace(/^(?:[ \t]*\r?\n)+/, '')
    .trimEnd()
  return first?.head === undefined ? words : `${first.head.text}\n${words}`
}

/**
 * The headings that apply to the whole chunk. Names in code and JSON keys are visible in the text anyway, so there the
 * path of the section with most of the tokens is used.
 */
function findPath({ pieces, from }: Cut, owners: readonly CountedSection[]): readonly string[] {
  const sections = [...new Set(owners)]
  const tokens = new Map<CountedSection, number>()
  for (const [i, owner] of owners.entries()) {
    tokens.set(owner, (tokens.get(owner) ?? 0) + (pieces[from + i]?.tokens ?? 0))
  }
  const half = [...tokens.values()].reduce((total, count) => total + count, 0) / 2
  const main = sections.find((section) => !section.isWritten && (tokens.get(section) ?? 0) > half)
  return main?.path ?? commonPath(sections.map(({ path }) => path))
}

function commonPath([first = [], ...others]: readonly (readonly string[])[]): readonly string[] {
  const length = first.findIndex((title, i) => others.some((path) => path[i] !== title))
  return length === -1 ? first : first.slice(0, length)
}

// Where to split: of all ways to split the pieces into chunks that fit, the one with the lowest total cost. Chunks
// should have a good size and start where something starts. This is dynamic programming: the best way to reach a
// position is the best way to reach an earlier one plus one chunk. Only a few dozen earlier positions are candidates,
// whatever the length of the document.

/** A nearly empty chunk costs more than three split paragraphs. */
const EMPTY_COST = 2
/** A chunk that is slightly too small costs more than a split between two sentences. */
const TOO_SMALL_COST = 0.4
/** Prefers a few large chunks to many small ones. */
const CHUNK_COST = 0.1
/** No room for the overlap with the chunk before. */
const NO_OVERLAP_COST = 0.3

/** The indexes of the pieces that start a chunk; the first is 0. */
function chooseBreaks(pieces: readonly Piece[], sizes: ChunkSizes): readonly number[] {
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
  /** Its tokens without the overlap. */
  readonly own: number
  /** The tokens before it, which the overlap is taken from. */
  readonly before: number
  readonly first: Piece | undefined
}

function costOfChunk({ own, before, first }: Candidate, sizes: ChunkSizes): number {
  const overlap = Math.min(sizes.overlap, before)
  const size = own + overlap + (first?.head?.tokens ?? 0)
  const isCrowded = before > 0 && size - overlap + Math.min(sizes.leastOverlap, before) > sizes.most
  const costOfOverlap = isCrowded ? NO_OVERLAP_COST : 0
  return CHUNK_COST + costOfSmallness(size, sizes) + costOfOverlap + costOfExcess(size - overlap, sizes)
}

const costOfSmallness = (size: number, { least }: ChunkSizes): number =>
  size >= least ? 0 : TOO_SMALL_COST + EMPTY_COST * ((least - size) / least) ** 2

/** Only a single row plus its table header can be too large; the header is then left out. */
const costOfExcess = (size: number, { most }: ChunkSizes): number => (size > most ? EMPTY_COST : 0)

function walkBack(cameFrom: Int32Array): readonly number[] {
  const starts: number[] = []
  for (let end = cameFrom.length - 1; end > 0; end = cameFrom[end] as number)
    starts.push(cameFrom[end] as number)
  return starts.reverse()
}
