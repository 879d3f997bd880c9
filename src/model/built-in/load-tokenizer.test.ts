import fc from 'fast-check'
import { countTokens as cl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { effort } from '../../../test/support/effort.ts'
import { anyText } from '../../../test/support/text.arbitrary.ts'
import { TOKENIZER_NAMES } from '../models.ts'
import { loadTokenizer } from './load-tokenizer.ts'

const VOCABULARIES = [
  ['o200k', o200k],
  ['cl100k', cl100k],
] as const

/** Names of special tokens are treated as text. */
const plain = { disallowedSpecial: new Set<string>() }

test.each(VOCABULARIES)('%s counts any text as its encoder does', async (name, encoder) => {
  const tokenizer = await loadTokenizer(name)
  fc.assert(
    fc.property(anyText, (text) => {
      expect(tokenizer.count(text)).toBe(encoder(text, plain))
    }),
    { numRuns: effort({ short: 600, long: 3000 }) },
  )
})

test.each(VOCABULARIES)('%s counts long runs as its encoder does', async (name, encoder) => {
  const tokenizer = await loadTokenizer(name)
  for (const run of ['a', ' ', '\n', '=-', '漢字', '😀', 'abcdefghij', 'aAbB', 'é', '\u0301']) {
    const text = `before ${run.repeat(Math.ceil(1500 / run.length))} after`
    expect(tokenizer.count(text), JSON.stringify(run)).toBe(encoder(text, plain))
  }
})

test('a run of any length is counted within the test timeout', async () => {
  const tokenizer = await loadTokenizer('o200k')
  for (const run of ['a', ' ', '漢字', '\n', '😀', 'abcdefghij']) {
    expect(tokenizer.count(run.repeat(200_000 / run.length))).toBeGreaterThan(500)
  }
})

// The reference encoder above cannot find tokens that begin with a byte order mark, and classifies other
// characters as spaces than the vocabularies do. These are the counts of OpenAI's own tiktoken.
test.each([
  ['\ufeffusing System;', 3],
  ['\ufeff', 1],
  ['\ufeff//x', 2],
  ['\ufeff\n\nhi', 2],
  ['a\ufeffb', 3],
  ['Hello \ufeff world', 3],
  ['x\u0085\u0085 y', 6],
  ['  \u0085  ', 4],
])('a byte order mark or next line is counted as OpenAI counts it: %j', async (text, tokens) => {
  expect((await loadTokenizer('o200k')).count(text)).toBe(tokens)
  expect((await loadTokenizer('cl100k')).count(text)).toBe(tokens)
})

test('the names of special tokens are counted as ordinary text', async () => {
  for (const name of TOKENIZER_NAMES) {
    expect((await loadTokenizer(name)).count('<|endoftext|><|im_start|>')).toBeGreaterThan(5)
  }
})

test('the estimate for families without a public tokenizer is above o200k', async () => {
  const text = 'The quick brown fox jumps over the lazy dog.'
  expect((await loadTokenizer('estimate')).count(text)).toBe(Math.ceil(o200k(text) * 1.3))
})
