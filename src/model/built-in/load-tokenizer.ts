// Real tokenizers, loaded when the first text is counted: a vocabulary takes 150 ms to load, and opening
// a memory must not wait for it.
//
// An encoder first cuts a text into pieces (a word with the space before it, three digits, a run of signs)
// and then encodes each piece by itself. No piece goes on across a single space, so that a text costs the
// sum of its words, each with the space before it; and words come again and again. Their costs are
// remembered, which makes counting five times as fast.
//
// The encoder takes time in the square of the longest unbroken run of characters (100,000 times the letter
// "a" took 7 s, a million spaces did not end), and messages hold such runs: base64, separators, Chinese
// pages. So a text with such a run is counted in slices: a boundary keeps two pieces from merging into one token, which
// makes the sum a little high, by about one token a slice.

import type { Tokenizer, TokenizerName } from '../tokenizer.ts'

const SLICE = 256
const SLICES = new RegExp(`[^]{1,${SLICE}}`, 'gu')

/** A single space between two words, where a text may be cut; and what makes other white space, where it may not. */
const BETWEEN_WORDS = /(?<=\S) (?=\S)/u
const OTHER_SPACE = /[^\S ]|^ | {2}| $/

/** A few megabytes; beyond that it begins anew. */
const MOST_REMEMBERED = 100_000
/** Longer ones hardly come again. */
const LONGEST_REMEMBERED = 32

/**
 * Claude's and Gemini's tokenizers are not public. Users of either report counts by OpenAI's tokenizers
 * that are 10 to 30 % too low (BerriAI/litellm#12056), so the estimate lies 30 % above o200k.
 */
const ESTIMATE_FACTOR = 1.3

type Encoder = (text: string, options: { disallowedSpecial: Set<string> }) => number
type Count = (text: string) => number

export async function loadTokenizer(name: TokenizerName): Promise<Tokenizer> {
  if (name === 'cl100k') {
    const { countTokens } = await import('gpt-tokenizer/encoding/cl100k_base')
    return { name, count: toCount(countTokens) }
  }
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  const count = toCount(countTokens)
  if (name === 'o200k') return { name, count }
  return { name, count: (text) => Math.ceil(count(text) * ESTIMATE_FACTOR) }
}

function toCount(encoder: Encoder): Count {
  // Users may write <|endoftext|>; to a chat it is text like any other.
  const plain = { disallowedSpecial: new Set<string>() }
  const encode: Count = (text) => encoder(text, plain)
  const countWords = toWordCounter(encode)
  return (text) => (hasLongRun(text) ? countSlices(text, encode) : countWords(text))
}

function toWordCounter(encode: Count): Count {
  const costOfFirst = remember(encode)
  const costOfOther = remember((word) => encode(` ${word}`))
  return (text) => {
    const words = OTHER_SPACE.test(text) ? text.split(BETWEEN_WORDS) : text.split(' ')
    let sum = costOfFirst(words[0] ?? '')
    for (let i = 1; i < words.length; i++) sum += costOfOther(words[i] ?? '')
    return sum
  }
}

/** The cost of a word, worked out once. A sign that ends it is a piece, and a token, of its own. */
function remember(encode: Count): Count {
  const costs = new Map<string, number>()
  const costOf: Count = (word) => {
    if (endsWithSign(word)) return costOf(word.slice(0, -1)) + 1
    const known = costs.get(word)
    if (known !== undefined) return known
    const cost = encode(word)
    if (costs.size >= MOST_REMEMBERED) costs.clear()
    if (word.length <= LONGEST_REMEMBERED) costs.set(word, cost)
    return cost
  }
  return costOf
}

const SIGNS = new Set([...'.,;:!?'].map((sign) => sign.charCodeAt(0)))

function endsWithSign(word: string): boolean {
  if (!SIGNS.has(word.charCodeAt(word.length - 1))) return false
  const before = word.charCodeAt(word.length - 2) | 32
  return before >= 97 && before <= 122
}

/** By hand: a pattern for this would look ahead from every character. */
function hasLongRun(text: string): boolean {
  let length = 0
  let wasSpace = false
  for (let i = 0; i < text.length; i++) {
    const isSpace = text.charCodeAt(i) <= 32
    length = isSpace === wasSpace ? length + 1 : 1
    if (length > SLICE) return true
    wasSpace = isSpace
  }
  return false
}

function countSlices(text: string, encode: Count): number {
  return (text.match(SLICES) ?? []).reduce((sum, slice) => sum + encode(slice), 0)
}
