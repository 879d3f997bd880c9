import fc from 'fast-check'
import { countTokens as cl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { encode, countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { TOKENIZER_NAMES } from '../tokenizer.ts'
import { loadTokenizer } from './load-tokenizer.ts'

const plainText = fc.oneof(
  fc.lorem({ maxCount: 50 }),
  fc.string({
    unit: fc.integer({ min: 9, max: 126 }).map((code) => String.fromCharCode(code)),
    maxLength: 200,
  }),
  fc
    .array(
      fc.constantFrom(
        "don't",
        "I'LL",
        'camelCase',
        'HTTPServer',
        '12345',
        '  ',
        '\n\n',
        '\r\n',
        ' \t',
        '://a/b',
        '...',
        '`x`',
        '-',
      ),
      { maxLength: 40 },
    )
    .map((pieces) => pieces.join('')),
)

test.each([
  ['o200k', o200k],
  ['cl100k', cl100k],
] as const)('%s counts as its encoder does, for text without very long runs', async (name, encoder) => {
  const tokenizer = await loadTokenizer(name)
  fc.assert(
    fc.property(plainText, (text) => {
      expect(tokenizer.count(text)).toBe(encoder(text, { disallowedSpecial: new Set() }))
    }),
    { numRuns: 3000 },
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
