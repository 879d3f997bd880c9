// Splits a message into sentences, with the punctuation of any language. The message is first split into blocks:
// fenced code and tables stay whole, every list item is a separate piece, and the lines of a paragraph belong
// together unless one of them ends a sentence. Only prose is split further, after a punctuation mark that is
// followed by white space (Chinese and Japanese have none). A period after an abbreviation, after an initial,
// inside a number or before a lower-case letter does not end a sentence. In doubt two sentences stay together: a
// sentence that is too long reads well, half a sentence does not.

import { matchAll } from '../../domain/words.ts'

type SentenceKind = 'prose' | 'item' | 'code'

export interface Sentence {
  /** Verbatim. */
  readonly text: string
  readonly start: number
  /** The offset after the last character. */
  readonly end: number
  readonly kind: SentenceKind
}

const CODE_FENCE = /^[ \t]*(```|~~~)/
const TABLE_ROW = /^[ \t]*\|/
const LIST_ITEM = /^[ \t]*(?:[-*•‣–+]|\d{1,3}[.)]|[a-z]\)|#{1,6}|>)[ \t]+/
const SENTENCE_END =
  /(?<![.!?…؟۔।։])(?:\.(?:[ ]?\.)+|[.!?…؟۔।։]+|[。！？｡]+)["'”’»)\]」』）]*(?=\s|$)|[。！？｡]+[”’」』）]*|(?<![!?])[!?]+(?=\p{Lu})/gu
/** Programs wrap lines at 65 to 80 characters. */
const FULL_LINE = 60

/** A period after these never ends a sentence, since something always follows. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  `mr mrs ms dr prof rev hon st sr jr mt ft gen col capt lt sgt vs eg e.g ie i.e cf approx ca bzw z.b
   d.h u.a vgl inkl evtl ggf hr frl dipl sra srta mme mlle`.split(/\s+/),
)

/** A period after these does not end a sentence before a number: "No. 5", "fig. 2", "Jan. 3". */
const BEFORE_NUMBERS: ReadonlySet<string> = new Set(
  'no nr nos fig vol ch pp p art jan feb mar apr jun jul aug sep sept oct nov dec tel'.split(' '),
)

/** The sentences of a message, in order. Each code block and list item is one piece. */
export function splitSentences(text: string): Sentence[] {
  return findBlocks(text).flatMap((block) =>
    block.kind === 'prose' ? splitProse(text, block) : trim(text, block),
  )
}

interface Block {
  readonly start: number
  readonly end: number
  readonly kind: SentenceKind
}

function findBlocks(text: string): Block[] {
  const blocks: Block[] = []
  let fence: string | undefined
  for (const { start, end } of findLines(text)) {
    const line = text.slice(start, end)
    const mark = CODE_FENCE.exec(line)?.[1]
    const kind = fence === undefined && mark === undefined ? kindOfLine(line) : 'code'
    const isContinued =
      fence !== undefined || (mark === undefined && continues(text, blocks.at(-1), { start, end, kind }))
    const before = isContinued ? blocks.pop() : undefined
    blocks.push({ start: before?.start ?? start, end, kind })
    if (mark !== undefined) fence = nextFence(fence, mark)
  }
  return blocks
}

function nextFence(open: string | undefined, mark: string): string | undefined {
  if (open === undefined) return mark
  return open === mark ? undefined : open
}

function findLines(text: string): { start: number; end: number }[] {
  if (!text.includes('\n')) return text === '' ? [] : [{ start: 0, end: text.length }]
  return [...text.matchAll(/[^\n]+/g)].map(({ 0: line, index }) => ({
    start: index,
    end: index + line.length,
  }))
}

function kindOfLine(line: string): SentenceKind {
  if (TABLE_ROW.test(line)) return 'code'
  return LIST_ITEM.test(line) ? 'item' : 'prose'
}

/** Whether a line continues the previous block: rows of a table, and lines of a paragraph. */
function continues(text: string, before: Block | undefined, line: Block): boolean {
  if (before === undefined || before.kind !== line.kind || line.kind === 'item') return false
  if (line.start - before.end !== 1) return false
  return line.kind === 'code' || isWrapped(text, before, line)
}

/** A line break inside a sentence: the line was full, or the next one begins in lower case. */
function isWrapped(text: string, before: Block, line: Block): boolean {
  const lastBreak = text.lastIndexOf('\n', before.end - 1)
  const width = before.end - Math.max(before.start, lastBreak + 1)
  return width >= FULL_LINE || /^\s*\p{Ll}/u.test(text.slice(line.start, line.end))
}

function splitProse(text: string, { start, end }: Block): Sentence[] {
  const block = text.slice(start, end)
  const sentences: Sentence[] = []
  let from = 0
  for (const mark of matchAll(block, SENTENCE_END)) {
    const after = mark.index + mark[0].length
    if (!endsSentence(block, mark.index, after)) continue
    sentences.push(...trim(text, { start: start + from, end: start + after, kind: 'prose' }))
    from = after
  }
  return [...sentences, ...trim(text, { start: start + from, end, kind: 'prose' })]
}

function endsSentence(block: string, at: number, after: number): boolean {
  const mark = block.slice(at, after)
  const next = /^\s*["'“‘«(¿¡]*(.)/su.exec(block.slice(after, after + 8))?.[1]
  if (next === undefined) return true
  if (/^[.…]/.test(mark) && /\p{Ll}/u.test(next)) return false
  // 4! = 24
  if (mark === '!' && /\d/.test(block.charAt(at - 1)) && !/\p{Lu}/u.test(next)) return false
  if (mark !== '.') return true
  const word = /[\p{L}\p{N}.]*$/u.exec(block.slice(Math.max(0, at - 24), at))?.[0] ?? ''
  if (/^(?:I|[ap]\.m)$/i.test(word)) return true
  const isInitial = /^(?:.*\.)?\p{L}$/u.test(word)
  if (BEFORE_NUMBERS.has(word.toLowerCase()) && /\d/.test(next)) return false
  return !isInitial && !ABBREVIATIONS.has(word.toLowerCase())
}

function trim(text: string, { start, end, kind }: Block): Sentence[] {
  const raw = text.slice(start, end)
  const from = start + raw.length - raw.trimStart().length
  const to = start + raw.trimEnd().length
  return to <= from ? [] : [{ text: text.slice(from, to), start: from, end: to, kind }]
}
