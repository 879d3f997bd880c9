// Where a text may be cut, from the best places to the worst: between sentences, lines, clauses, words, and in the
// middle of a word only where there is nothing else.

import type { CountTokens } from '../../../domain/tokens.ts'

/** A stretch of text, and what is lost by cutting before it. */
export interface Cut {
  readonly start: number
  readonly end: number
  readonly tokens: number
  readonly cost: number
}

const SENTENCE = 0.35

interface Separator {
  /** What ends a part; the part has it. */
  readonly end: RegExp
  readonly cost: number
}

const SENTENCES: Separator = {
  end: /[.!?…]+["'”’»)\]]*\s+|[。！？]+[”』」）]*\s*/g,
  cost: SENTENCE,
}
const FINER: readonly Separator[] = [
  { end: /\r\n?|\n/g, cost: 0.5 },
  { end: /[,;:–—、，；：]\s*/g, cost: 0.8 },
  { end: /\s+/g, cost: 1.2 },
]
/** In the middle of a word. */
const CHARACTERS = 2

interface Span {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly count: CountTokens
  /** Larger parts are cut further. */
  readonly most: number
}

/** The sentences of a text, and the parts of those that are too long. */
export function splitSentences(span: Span): readonly Cut[] {
  return splitBy(span, SENTENCES).flatMap((part, i) => splitLong(span, i === 0 ? { ...part, cost: 0 } : part))
}

/** The part itself, or what it has to be cut into; the first of them keeps its cost. */
export function splitLong(span: Span, part: Cut, finer: readonly Separator[] = FINER): readonly Cut[] {
  if (part.tokens <= span.most) return [part]
  const [separator, ...rest] = finer
  if (separator === undefined) return splitCharacters(span, part)
  const parts = splitBy({ ...span, start: part.start, end: part.end }, separator)
  const grouped = rest.length === 0 ? groupSmall(span, parts) : parts
  return grouped.flatMap((cut, i) => splitLong(span, i === 0 ? { ...cut, cost: part.cost } : cut, rest))
}

function splitBy({ text, start, end, count }: Span, separator: Separator): readonly Cut[] {
  const parts: Cut[] = []
  const add = (from: number, to: number) => {
    const tokens = count(text.slice(from, to))
    parts.push({ start: from, end: to, tokens, cost: separator.cost })
  }
  const slice = text.slice(start, end)
  let from = start
  for (const { index, 0: mark } of slice.matchAll(separator.end)) {
    const to = start + index + mark.length
    if (to === end) break
    add(from, to)
    from = to
  }
  add(from, end)
  return parts
}

/** Words by themselves are more places to cut at than anybody needs. */
function groupSmall({ text, count, most }: Span, parts: readonly Cut[]): readonly Cut[] {
  const groups: Cut[] = []
  for (const part of parts) {
    const last = groups.at(-1)
    if (last === undefined || last.tokens + part.tokens > most / 2) groups.push(part)
    else groups[groups.length - 1] = { ...last, end: part.end, tokens: last.tokens + part.tokens }
  }
  return groups.map((group) => ({ ...group, tokens: count(text.slice(group.start, group.end)) }))
}

/** Never in the middle of a character. */
function splitCharacters({ text, count, most }: Span, part: Cut): readonly Cut[] {
  const cuts: Cut[] = []
  for (let start = part.start; start < part.end; ) {
    let length = Math.min(part.end - start, most * 4)
    let tokens = count(text.slice(start, endOf(text, start, length)))
    while (tokens > most && length > 1) {
      length = Math.ceil(length / 2)
      tokens = count(text.slice(start, endOf(text, start, length)))
    }
    const end = Math.min(endOf(text, start, length), part.end)
    cuts.push({ start, end, tokens, cost: start === part.start ? part.cost : CHARACTERS })
    start = end
  }
  return cuts
}

function endOf(text: string, start: number, length: number): number {
  const end = start + length
  return isHalf(text, end) ? end + 1 : end
}

/** Whether the character before this place goes on behind it. */
export function isHalf(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  const after = text.charCodeAt(at)
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000
}
