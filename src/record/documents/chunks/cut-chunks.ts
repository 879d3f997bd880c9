// Text with its headings → chunks. A chunk is what recall finds and a model is given: small enough to be to the
// point, large enough to make sense by itself.
//
//  1. The text is taken apart into sections, by its headings, and those into pieces: sentences, lines of code, rows
//     of tables (find-sections.ts, find-pieces.ts).
//  2. Sections that are too small for a chunk are put together with their neighbours (join-sections.ts).
//  3. What is too large is cut where least is lost (choose-breaks.ts).
//  4. A chunk in the middle of a section repeats the last sentences of the one before it, so that what stands
//     across a cut is whole in one of them (find-overlap.ts). A heading begins afresh: nothing is cut there.
//
// Invariants:
//  a. Every character of the text is in a chunk; chunks come in order, and the same text gives the same chunks.
//  b. No chunk has more tokens than it may have.
//  c. No character is cut in half, and no word, row or sentence that fits into a chunk without need.
//  d. Written headings of the path hold for all of the chunk.

import type { Chunk, DocumentText } from '../../../domain/document.ts'
import type { CountTokens } from '../../../domain/tokens.ts'
import type { Pace } from '../pace.ts'
import { chooseBreaks } from './choose-breaks.ts'
import { findOverlap } from './find-overlap.ts'
import { addPieces, findPieces } from './find-pieces.ts'
import { findSections } from './find-sections.ts'
import { type CountedSection, joinSections, type Run } from './join-sections.ts'
import { type Measure, type Piece, toSizes } from './piece.ts'

/** A chunk that knows nothing of its document yet. */
export type CutChunk = Omit<Chunk, 'id' | 'documentId' | 'version'>

export interface Chunking {
  readonly chunkSize: number
  readonly chunkOverlap: number
  readonly count: CountTokens
  readonly pace: Pace
}

export interface CutDocument {
  readonly chunks: readonly CutChunk[]
  /** Of the whole text. */
  readonly tokens: number
}

export async function cutChunks({ text, blocks }: DocumentText, chunking: Chunking): Promise<CutDocument> {
  const { pace, count } = chunking
  const measure: Measure = { text, count, sizes: toSizes(chunking.chunkSize, chunking.chunkOverlap) }
  // Counting all pieces and making the chunks take about as long.
  const step = async (done: number) => {
    if (!pace.isDue) return
    pace.tell({ step: 'cutting', done: Math.floor(done), total: text.length })
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
  pace.tell({ step: 'cutting', done: text.length, total: text.length })
  return { chunks, tokens: sections.reduce((total, { tokens }) => total + tokens, 0) }
}

const sum = (pieces: readonly Piece[]): number => pieces.reduce((total, { tokens }) => total + tokens, 0)

interface Cut {
  readonly pieces: readonly Piece[]
  /** Which of them. */
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

/** Tokens of pieces do not add up exactly: what turns out too large is cut once more. */
function withinSize(measure: Measure, cut: Cut): readonly Cut[] {
  const { pieces, from, to } = cut
  if (to - from === 1 || measure.count(render(measure, ownWords(cut))) <= measure.sizes.most) return [cut]
  const middle = (from + to) >> 1
  return [
    ...withinSize(measure, { pieces, from, to: middle }),
    ...withinSize(measure, { pieces, from: middle, to }),
  ]
}

interface Words {
  /** The piece that they begin with, or in. */
  readonly first: Piece | undefined
  readonly start: number
  readonly end: number
}

const ownWords = ({ pieces, from, to }: Cut): Words => {
  const first = pieces[from]
  return { first, start: first?.start ?? 0, end: pieces[to - 1]?.end ?? 0 }
}

function toChunk(measure: Measure, cut: Cut): Omit<CutChunk, 'index' | 'headingPath'> {
  const { pieces, from } = cut
  const { most, mostOverlap } = measure.sizes
  const own = ownWords(cut)
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

/** A single row that is too large together with the head of its table goes without the head. */
function toOwnChunk(measure: Measure, own: Words): Omit<CutChunk, 'index' | 'headingPath'> {
  const { start, end } = own
  const whole = render(measure, own)
  const tokens = measure.count(whole)
  if (tokens <= measure.sizes.most) return { text: whole, tokens, start, end }
  const text = render(measure, { first: undefined, start, end })
  return { text, tokens: measure.count(text), start, end }
}

/** The words of a chunk, with the head of the table that goes on in it. */
function render({ text }: Measure, { first, start, end }: Words): string {
  const words = text
    .slice(start, end)
    .replace(/^(?:[ \t]*\r?\n)+/, '')
    .trimEnd()
  return first?.head === undefined ? words : `${first.head.text}\n${words}`
}

/**
 * The headings that hold for all of it. Names in code and keys are not lost where they are left out of the path: there
 * the part that most of it belongs to gives the path.
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
