import fc from 'fast-check'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { TOKENIZER_NAMES } from '../tokenizer.ts'
import { loadTokenizer } from './load-tokenizer.ts'

test('o200k counts as its encoder does, for text without very long runs', async () => {
  const tokenizer = await loadTokenizer('o200k')
  fc.assert(
    fc.property(fc.lorem({ maxCount: 50 }), (text) => {
      expect(tokenizer.count(text)).toBe(encode(text).length)
    }),
  )
})

test('a long run of characters is counted in time and never too low', async () => {
  const tokenizer = await loadTokenizer('o200k')
  const run = 'abcdefghij'.repeat(120)
  expect(tokenizer.count(`before ${run} after`)).toBeGreaterThanOrEqual(encode(`before ${run} after`).length)
  for (const text of [
    'a'.repeat(200_000),
    ' '.repeat(200_000),
    '漢字'.repeat(50_000),
    '\n'.repeat(100_000),
    '😀'.repeat(50_000),
  ]) {
    expect(tokenizer.count(text)).toBeGreaterThan(500)
  }
})

test('the names of special tokens are text like any other', async () => {
  for (const name of TOKENIZER_NAMES) {
    expect((await loadTokenizer(name)).count('<|endoftext|><|im_start|>')).toBeGreaterThan(5)
  }
})

test('the estimate for families without a public tokenizer lies above o200k', async () => {
  const text = 'The quick brown fox jumps over the lazy dog.'
  expect((await loadTokenizer('estimate')).count(text)).toBe(Math.ceil(encode(text).length * 1.3))
})

test('any text can be counted', async () => {
  const tokenizer = await loadTokenizer('cl100k')
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => tokenizer.count(text) >= 0))
})
