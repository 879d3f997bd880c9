// Where text can be split, from best to worst: between sentences, lines, clauses, words, and inside a word only as a
// last resort.

import type { CountTokens } from '../../../domain/tokens.ts'

/** A range of text, and the cost of splitting before it. */
export interface Cut {
  readonly start: number
  readonly end: number
  readonly tokens: number
  readonly cost: number
}

interface Separator {
  /** Matches the end of a part; the match belongs to the part. */
  readonly end: RegExp
  readonly cost: number
}

const SENTENCES: Separator = { end: /[.!?…]+["'”’»)\]]*\s+|[。！？]+[”』」）]*\s*/g, cost: 0.35 }
const FINER: readonly Separator[] = [
  { end: /[\r\n]\s*/g, cost: 0.5 },
  { end: /[,;:–—、，；：]\s*/g, cost: 0.8 },
  { end: /\s+/g, cost: 1.2 },
]
/** Inside a word. */
const INSIDE_WORD_COST = 2
/** No token is longer, not even one of spaces: text that must exceed the limit is not counted. */
const MAX_TOKEN_CHARACTERS = 128

export interface Span {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly count: CountTokens
  /** Larger parts are split further. */
  readonly most: number
  /** Smaller parts are joined: more split positions are not needed. */
  readonly least: number
}

/** Splits into sentences, and overlong sentences into parts. The first costs nothing. */
export function splitSentences(span: Span): readonly Cut[] {
  const [first, ...others] = splitBy(span, SENTENCES)
  const parts = first === undefined ? [] : [{ ...first, cost: 0 }, ...others]
  return parts.flatMap((part) => splitLong(span, part))
}

/** The part itself, or its parts if it is too long; the first keeps the cost. */
export function splitLong(span: Span, part: Cut, finer: readonly Separator[] = FINER): readonly Cut[] {
  if (part.tokens <= span.most) return [part]
  const [separator, ...rest] = finer
  if (separator === undefined) return splitCharacters(span, part)
  const isLast = rest.length === 0
  const within = { ...span, start: part.start, end: part.end, least: isLast ? span.most / 2 : span.least }
  return splitBy(within, separator).flatMap((cut, i) =>
    splitLong(span, i === 0 ? { ...cut, cost: part.cost } : cut, rest),
  )
}

function splitBy(span: Span, { end: mark, cost }: Separator): readonly Cut[] {
  const { text, start, end, least } = span
  const parts: Cut[] = []
  const add = (from: number, to: number) => {
    const tokens = countPart(span, from, to)
    const last = parts.at(-1)
    if (last === undefined || last.tokens + tokens > least) parts.push({ start: from, end: to, tokens, cost })
    else parts[parts.length - 1] = { ...last, end: to, tokens: last.tokens + tokens }
  }
  let from = start
  for (const { index, 0: found } of text.slice(start, end).matchAll(mark)) {
    const to = start + index + found.length
    if (to === end) break
    add(from, to)
    from = to
  }
  add(from, end)
  return parts
}

/**
 * The tokens that a part adds to a chunk. A trailing space merges with the next word, and blank lines usually cost one
 * token.
 */
export function countPart({ text, count, most }: Span, from: number, to: number): number {
  const part = text.slice(from, to)
  const words = part.trimEnd()
  if (words.length > most * MAX_TOKEN_CHARACTERS) return Number.POSITIVE_INFINITY
  return count(part.includes('\n', words.length) ? `${words}\n` : words)
}

/** Never inside a surrogate pair. */
function splitCharacters({ text, count, most }: Span, part: Cut): readonly Cut[] {
  const cuts: Cut[] = []
  let length = most * 4
  for (let start = part.start; start < part.end; ) {
    const countTo = (units: number) => count(text.slice(start, Math.min(endOf(text, start, units), part.end)))
    let tokens = countTo(length)
    while (tokens > most && length > 1) {
      length = Math.ceil(length / 2)
      tokens = countTo(length)
    }
    const end = Math.min(endOf(text, start, length), part.end)
    cuts.push({ start, end, tokens, cost: start === part.start ? part.cost : INSIDE_WORD_COST })
    start = end
    // The next text may have fewer tokens per character, so try more again.
    if (tokens < most / 2) length = Math.min(length * 2, most * 4)
  }
  return cuts
}

function endOf(text: string, start: number, length: number): number {
  const end = start + length
  return isInsideSurrogatePair(text, end) ? end + 1 : end
}

/** Whether this position is inside a surrogate pair. */
export function isInsideSurrogatePair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  const after = text.charCodeAt(at)
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000
}
