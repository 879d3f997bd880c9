import type { Block } from '../../../domain/document.ts'
import type { CountTokens } from '../../../domain/tokens.ts'
import {
  type Cut,
  countPart,
  isInsideSurrogatePair,
  type Span,
  splitLong,
  splitSentences,
} from './split-text.ts'

/** A heading belongs with the text under it, and a table header with its first row. */
const AFTER_HEADING = 4
/** A line that ends in a colon belongs with what follows. */
const AFTER_COLON = 0.4
const BETWEEN_ITEMS = 0.1
const AFTER_BLANK_LINE = 0.35
const BETWEEN_LINES = 0.7
/** A closing bracket belongs with the lines before it. */
const CLOSING_LINE = 0.4
/** Code that fits into one chunk should stay in one. */
const KEEP_CODE_WHOLE = 1
/** At a position where an overlong block was divided for processing. */
const WITHIN_BLOCK = 0.5
/** Pieces are small enough for chunks to come out at the right size … */
const PIECES_PER_CHUNK = 5
/** … and not too small, to avoid needless split positions. */
const SMALLEST_PER_CHUNK = 30
/** A larger header would leave too little room for rows. */
const HEAD_SHARE = 3
/** Longer blocks are processed in parts, to yield to the event loop in between. */
const MAX_SPAN_CHARACTERS = 50_000

interface Stretch {
  readonly block: Block
  readonly start: number
  /** Where the next one starts. */
  readonly end: number
  readonly before: Block | undefined
  /** Not the start of its block. */
  readonly isContinuation: boolean
}

/** The pieces of a section, one stretch at a time; together they cover all of it. */
export function* findPieces(measure: Measure, section: Section): Generator<readonly Piece[]> {
  let head: Head | undefined
  for (const stretch of toStretches(measure, section)) {
    const { kind } = stretch.block
    if (kind === 'header') head = toHead(measure, stretch)
    else if (kind !== 'row') head = undefined
    yield piecesOf(measure, stretch, head)
  }
}

function* toStretches({ text }: Measure, { blocks, start, end }: Section): Generator<Stretch> {
  const nonEmpty = blocks.filter((block) => block.end > block.start)
  const whole: Block = { kind: 'paragraph', start, end }
  if (nonEmpty.length === 0 && end > start) nonEmpty.push(whole)
  for (const [i, block] of nonEmpty.entries()) {
    const before = nonEmpty[i - 1]
    const to = nonEmpty[i + 1]?.start ?? end
    for (let from = i === 0 ? start : block.start, isContinuation = false; from < to; isContinuation = true) {
      const next = endOfStretch(text, from, to)
      yield { block, start: from, end: next, before, isContinuation }
      from = next
    }
  }
}

/** At a line end, or at a space, if there is one nearby. */
function endOfStretch(text: string, from: number, to: number): number {
  if (to - from <= MAX_SPAN_CHARACTERS) return to
  const slice = text.slice(from, from + MAX_SPAN_CHARACTERS)
  const cut = Math.max(slice.lastIndexOf('\n') + 1, MAX_SPAN_CHARACTERS / 2)
  const end = from + (cut > MAX_SPAN_CHARACTERS / 2 ? cut : Math.max(slice.lastIndexOf(' ') + 1, cut))
  return isInsideSurrogatePair(text, end) ? end + 1 : end
}

function toHead({ text, count, sizes }: Measure, { block }: Stretch): Head | undefined {
  const words = text.slice(block.start, block.end)
  const tokens = count(`${words}\n`)
  return tokens <= sizes.most / HEAD_SHARE ? { text: words, tokens } : undefined
}

function piecesOf(measure: Measure, stretch: Stretch, head: Head | undefined): readonly Piece[] {
  const { kind } = stretch.block
  const isRow = kind === 'row'
  const first = costBefore(measure, stretch)
  return cutsOf(measure, stretch, head).map(({ cost, ...cut }, i) => ({
    ...cut,
    cost: i === 0 ? first : cost,
    isRow,
    ...(isRow && head !== undefined && { head }),
  }))
}

function cutsOf(measure: Measure, stretch: Stretch, head: Head | undefined): readonly Cut[] {
  const { text, count, sizes } = measure
  const { start, end, block } = stretch
  const span: Span = {
    text,
    start,
    end,
    count,
    most: Math.max(1, Math.floor(sizes.most / PIECES_PER_CHUNK)),
    least: sizes.most / SMALLEST_PER_CHUNK,
  }
  if (block.kind === 'code') return splitCode(measure, span)
  if (block.kind === 'paragraph' || block.kind === 'item') return splitSentences(span)
  // Headings and rows are split only if they are too long for any chunk.
  const whole = { start, end, tokens: countPart(span, start, end), cost: 0 }
  return splitLong({ ...span, most: sizes.most - (head?.tokens ?? 0) }, whole)
}

function splitCode({ sizes }: Measure, span: Span): readonly Cut[] {
  const { text, start, end } = span
  const lines = linesOf(text.slice(start, end)).map(([from, to]): Cut => {
    const place = { start: start + from, end: start + to }
    return { ...place, tokens: countPart(span, place.start, place.end), cost: 0 }
  })
  const tokens = lines.reduce((sum, line) => sum + line.tokens, 0)
  const whole = tokens <= sizes.most ? KEEP_CODE_WHOLE : 0
  return lines.flatMap((line, i) => {
    const before = lines[i - 1]
    const cost =
      whole + costOfLine(text.slice(line.start, line.end), before && text.slice(before.start, before.end))
    return splitLong(span, { ...line, cost })
  })
}

function costOfLine(line: string, before: string | undefined): number {
  const isAfterBlank = before === undefined || /\n\s*\n$/.test(before) || before.trim() === ''
  const isClosing = /^\s*(?:[)\]}]|end\b)/.test(line)
  return (isAfterBlank ? AFTER_BLANK_LINE : BETWEEN_LINES) + (isClosing ? CLOSING_LINE : 0)
}

/** Each line with the blank lines after it. */
function linesOf(text: string): readonly (readonly [number, number])[] {
  return [...text.matchAll(/[^\n]*\n(?:[ \t\r]*\n)*|[^\n]+$/g)].map(({ index, 0: line }) => [
    index,
    index + line.length,
  ])
}

function costBefore({ text }: Measure, { block, before, isContinuation }: Stretch): number {
  if (isContinuation) return WITHIN_BLOCK
  if (before === undefined) return 0
  if (before.kind === 'heading' || before.kind === 'header') return AFTER_HEADING
  if (block.kind === before.kind && (block.kind === 'item' || block.kind === 'row')) return BETWEEN_ITEMS
  return /[:：]\s*$/.test(text.slice(Math.max(before.start, before.end - 20), before.end)) ? AFTER_COLON : 0
}

/** Joins pieces that are too small to be worth splitting at, except those that start a block. */
export function addPieces(pieces: Piece[], found: readonly Piece[], { most }: ChunkSizes): void {
  for (const piece of found) {
    const last = pieces.at(-1)
    const isSmall = last !== undefined && last.tokens + piece.tokens <= most / SMALLEST_PER_CHUNK
    if (isSmall && piece.cost > 0)
      pieces[pieces.length - 1] = { ...last, end: piece.end, tokens: last.tokens + piece.tokens }
    else pieces.push(piece)
  }
}

/** The smallest unit of a chunk: a sentence, a line of code, a row. Pieces are contiguous. */
export interface Piece {
  readonly start: number
  readonly end: number
  readonly tokens: number
  /** The cost of starting a chunk with this piece; 0 at the start of a paragraph. */
  readonly cost: number
  readonly isRow: boolean
  /** For a row: the header of its table. */
  readonly head?: Head
}

/** The header of a table, repeated in every chunk that continues the table. */
interface Head {
  readonly text: string
  readonly tokens: number
}

/** The text under one heading, up to the next. */
export interface Section {
  readonly path: readonly string[]
  /** Whether the heading is part of the text, or was inferred from code or JSON keys. */
  readonly isWritten: boolean
  readonly start: number
  readonly end: number
  readonly blocks: readonly Block[]
}

/** Sizes of chunks, in tokens. */
export interface ChunkSizes {
  readonly most: number
  /** Smaller sections are joined if possible. */
  readonly least: number
  readonly overlap: number
  readonly leastOverlap: number
  readonly mostOverlap: number
}

export interface Measure {
  readonly text: string
  readonly count: CountTokens
  readonly sizes: ChunkSizes
}

/** A little more than two thirds, because token counts of pieces add up to more than the count of the whole. */
const LEAST_SHARE = 0.7

/** 300 and 50 give chunks of 200 to 300 tokens with an overlap of 30 to 60. */
export function toSizes(size: number, overlap: number): ChunkSizes {
  // If half of each chunk were overlap, splitting would not make progress.
  const shared = Math.min(overlap, Math.floor(size / 3))
  return {
    most: size,
    least: Math.round(size * LEAST_SHARE),
    overlap: shared,
    leastOverlap: Math.round(shared * 0.6),
    mostOverlap: Math.round(shared * 1.2),
  }
}
