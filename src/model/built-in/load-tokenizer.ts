// Real tokenizers, loaded when the first text is counted: a vocabulary takes 150 ms to load, and opening
// a memory must not wait for it.
//
// The encoder takes time in the square of the longest unbroken run of characters (100,000 times the letter
// "a" took 7 s, a million spaces did not end), and messages hold such runs: base64, separators, Chinese
// pages. So long runs are counted in slices: a boundary keeps two pieces from merging into one token, which
// makes the sum a little high, by about one token a slice.

import type { Tokenizer, TokenizerName } from '../tokenizer.ts'

const SLICE = 256
const LONG_RUN = new RegExp(`(\\S{${SLICE + 1},}|\\s{${SLICE + 1},})`, 'u')
const SLICES = new RegExp(`[^]{1,${SLICE}}`, 'gu')

/**
 * Claude's and Gemini's tokenizers are not public. Users of either report counts by OpenAI's tokenizers
 * that are 10 to 30 % too low (BerriAI/litellm#12056), so the estimate lies 30 % above o200k.
 */
const ESTIMATE_FACTOR = 1.3

type Encoder = (text: string, options: { disallowedSpecial: Set<string> }) => number

export async function loadTokenizer(name: TokenizerName): Promise<Tokenizer> {
  if (name === 'cl100k') {
    return toTokenizer(name, (await import('gpt-tokenizer/encoding/cl100k_base')).countTokens)
  }
  const o200k = toTokenizer(name, (await import('gpt-tokenizer/encoding/o200k_base')).countTokens)
  if (name === 'o200k') return o200k
  return { name, count: (text) => Math.ceil(o200k.count(text) * ESTIMATE_FACTOR) }
}

function toTokenizer(name: TokenizerName, encoder: Encoder): Tokenizer {
  // Users may write <|endoftext|>; to a chat it is text like any other.
  const plain = { disallowedSpecial: new Set<string>() }
  return {
    name,
    count(text) {
      if (!LONG_RUN.test(text)) return encoder(text, plain)
      const stretches = text
        .split(LONG_RUN)
        .flatMap((stretch) => (LONG_RUN.test(stretch) ? stretch.match(SLICES) : stretch))
      return stretches.reduce((sum, stretch) => sum + encoder(stretch ?? '', plain), 0)
    },
  }
}
