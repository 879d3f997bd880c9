import type { Block } from '../../../domain/document.ts'
import type { ChunkSizes, Head, Measure, Piece, Section } from './piece.ts'
import { type Cut, countPart, isHalf, type Span, splitLong, splitSentences } from './split-text.ts'

/** Nobody wants a heading without what it is the heading of, nor a table's head without a row. */
const AFTER_HEADING = 4
/** Words such as "as follows:" belong to what follows. */
const AFTER_COLON = 0.4
const BETWEEN_ITEMS = 0.1
const AFTER_BLANK_LINE = 0.35
const BETWEEN_LINES = 0.7
/** A line that closes something says nothing by itself. */
const CLOSING_LINE = 0.4
/** Code that fits into one chunk should be in one. */
const KEEP_CODE_WHOLE = 1
/** Where a block goes on that was too long to be looked at in one go. */
const WITHIN_BLOCK = 0.5
/** Pieces are so much smaller than chunks that chunks come out right … */
const PIECES_PER_CHUNK = 5
/** … and not so small that there would be more places to cut at than anybody needs. */
const SMALLEST_PER_CHUNK = 30
/** A larger head would leave too little room for the rows. */
const HEAD_SHARE = 3
/** Longer blocks are gone through in parts, so that others have their turn. */
const LONGEST_STRETCH = 50_000

interface Stretch {
  readonly block: Block
  readonly start: number
  /** Where the next one begins. */
  readonly end: number
  readonly before: Block | undefined
  /** Not the beginning of its block. */
  readonly isGoingOn: boolean
}

/** The pieces of a section, a stretch at a time; together they are all of it. */
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
  const standing = blocks.filter((block) => block.end > block.start)
  const whole: Block = { kind: 'paragraph', start, end }
  if (standing.length === 0 && end > start) standing.push(whole)
  for (const [i, block] of standing.entries()) {
    const before = standing[i - 1]
    const to = standing[i + 1]?.start ?? end
    for (let from = i === 0 ? start : block.start, isGoingOn = false; from < to; isGoingOn = true) {
      const next = endOfStretch(text, from, to)
      yield { block, start: from, end: next, before, isGoingOn }
      from = next
    }
  }
}

/** At a line end, or else a space, if there is one near. */
function endOfStretch(text: string, from: number, to: number): number {
  if (to - from <= LONGEST_STRETCH) return to
  const slice = text.slice(from, from + LONGEST_STRETCH)
  const cut = Math.max(slice.lastIndexOf('\n') + 1, LONGEST_STRETCH / 2)
  const end = from + (cut > LONGEST_STRETCH / 2 ? cut : Math.max(slice.lastIndexOf(' ') + 1, cut))
  return isHalf(text, end) ? end + 1 : end
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
  // Headings and rows are cut only where they are too long for any chunk.
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

/** Each with the blank lines that follow it. */
function linesOf(text: string): readonly (readonly [number, number])[] {
  return [...text.matchAll(/[^\n]*\n(?:[ \t\r]*\n)*|[^\n]+$/g)].map(({ index, 0: line }) => [
    index,
    index + line.length,
  ])
}

function costBefore({ text }: Measure, { block, before, isGoingOn }: Stretch): number {
  if (isGoingOn) return WITHIN_BLOCK
  if (before === undefined) return 0
  if (before.kind === 'heading' || before.kind === 'header') return AFTER_HEADING
  if (block.kind === before.kind && (block.kind === 'item' || block.kind === 'row')) return BETWEEN_ITEMS
  return /[:：]\s*$/.test(text.slice(Math.max(before.start, before.end - 20), before.end)) ? AFTER_COLON : 0
}

/** Puts neighbours together that are smaller than anybody would cut at, but for those that begin something. */
export function addPieces(pieces: Piece[], found: readonly Piece[], { most }: ChunkSizes): void {
  for (const piece of found) {
    const last = pieces.at(-1)
    const isSmall = last !== undefined && last.tokens + piece.tokens <= most / SMALLEST_PER_CHUNK
    if (isSmall && piece.cost > 0)
      pieces[pieces.length - 1] = { ...last, end: piece.end, tokens: last.tokens + piece.tokens }
    else pieces.push(piece)
  }
}
