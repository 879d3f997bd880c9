// Real tokenizers, loaded when the first text is counted: a vocabulary takes 150 ms to load, and opening
// a memory must not wait for it.
//
// An encoder first cuts a text into pieces (a word with the space before it, three digits, a run of signs)
// and then encodes each piece by itself, so that a text costs the sum of its pieces, and pieces come again
// and again: their costs are remembered (word-costs.ts). The encoder is given copies of pieces only, since it
// has a memory too, and would keep alive the whole text that a piece was cut from: 2,000 long messages took
// 190 MB.
//
// The encoder takes time in the square of the longest unbroken run of characters (100,000 times the letter
// "a" took 7 s, a million spaces did not end), and messages hold such runs: base64, separators, Chinese
// pages. So long runs are counted in slices: a boundary keeps two pieces from merging into one token, which
// makes the sum a little high, by about one token a slice.

import type { Tokenizer, TokenizerName } from '../tokenizer.ts'
import { WordCosts } from './word-costs.ts'

const LONG_RUN = 256
const LONG_RUNS = new RegExp(`(\\S{${LONG_RUN + 1},}|\\s{${LONG_RUN + 1},})`, 'u')
/** Short ones, since the time goes with the square of their length. */
const SLICES = /.{1,64}/gsu

/**
 * Claude's and Gemini's tokenizers are not public. Users of either report counts by OpenAI's tokenizers
 * that are 10 to 30 % too low (BerriAI/litellm#12056), so the estimate lies 30 % above o200k.
 */
const ESTIMATE_FACTOR = 1.3

type Count = (text: string) => number

interface Encoding {
  countTokens(text: string, options: { disallowedSpecial: Set<string> }): number
}

export async function loadTokenizer(name: TokenizerName): Promise<Tokenizer> {
  const patterns = await import('gpt-tokenizer/encodingParams/constants')
  if (name === 'cl100k') {
    const encoding = await import('gpt-tokenizer/encoding/cl100k_base')
    return { name, count: toCount(encoding, patterns.CL100K_TOKEN_SPLIT_REGEX) }
  }
  const encoding = await import('gpt-tokenizer/encoding/o200k_base')
  const count = toCount(encoding, patterns.O200K_TOKEN_SPLIT_REGEX)
  if (name === 'o200k') return { name, count }
  return { name, count: (text) => Math.ceil(count(text) * ESTIMATE_FACTOR) }
}

function toCount(encoding: Encoding, pieces: RegExp): Count {
  // Users may write <|endoftext|>; to a chat it is text like any other.
  const plain = { disallowedSpecial: new Set<string>() }
  const costs = new WordCosts((text) => encoding.countTokens(text, plain))
  const countStretch: Count = (text) => costs.ofPlain(text) ?? costs.ofPieces(text.match(pieces) ?? [])
  return (text) => {
    if (!hasLongRun(text)) return countStretch(text)
    return text.split(LONG_RUNS).reduce((sum, stretch) => {
      const isLong = stretch.length > LONG_RUN && hasLongRun(stretch)
      return sum + (isLong ? costs.ofPieces(stretch.match(SLICES) ?? []) : countStretch(stretch))
    }, 0)
  }
}

/** By hand: a pattern for this would look ahead from every character. */
function hasLongRun(text: string): boolean {
  let length = 0
  let wasSpace = false
  for (let i = 0; i < text.length; i++) {
    const isSpace = text.charCodeAt(i) <= 32
    length = isSpace === wasSpace ? length + 1 : 1
    if (length > LONG_RUN) return true
    wasSpace = isSpace
  }
  return false
}
