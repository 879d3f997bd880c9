import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { effort } from '../../test/support/effort.ts'
import { findWords, indexableWords, listWords } from './words.ts'

describe('words of any language', () => {
  test.each([
    ['Ærøskøbing Café naïve', 'ærøskøbing cafe naive'],
    ['Tiếng Việt', 'tieng viet'],
    ['Ελλάδα', 'ελλαδα'],
    ['Ёлка и ёж', 'елка и еж'],
    ['שָׁלוֹם', 'שלום'],
    ['مَرْحَبًا', 'مرحبا'],
    ['हिन्दी में', 'हिन्दी में'],
    ['東京へ行く', '東 京 へ 行 く'],
    ['GPT-4o at 10:30', 'gpt 4o at 10 30'],
    ['ﬁne Ｗｉｄｅ', 'fine wide'],
    ["don't", 'don t'],
    ['😀 !!', ''],
  ])('%s → %s', (text, words) => {
    expect(indexableWords(text)).toBe(words)
  })
})

test('a word has its position in the text', () => {
  const text = 'Où? À Lisbonne, 東京.'
  const found = findWords(text).map(({ start, end }) => text.slice(start, end))
  expect(found).toEqual(['Où', 'À', 'Lisbonne', '東', '京'])
})

test('the words of any text can be stored and quoted in a query', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const words = indexableWords(text)
      expect(words.isWellFormed()).toBe(true)
      expect(words).not.toMatch(/["*\p{Cc}]/u)
    }),
    { numRuns: effort({ short: 400, long: 2000 }) },
  )
})

const plain = fc.string({ unit: 'binary-ascii' })
const dressed = fc.array(
  fc.oneof(plain, fc.constantFrom('’', '…', ' – ', '😀', 'Ⓐ', 'é', '東京', 'İ', 'x'.repeat(70))),
)
const anyText = fc.oneof(
  plain,
  dressed.map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary' }),
)

test('the list of words is the same with and without positions, for any characters', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(listWords(text)).toEqual(findWords(text).map(({ word }) => word))
    }),
    { numRuns: effort({ short: 400, long: 2000 }) },
  )
})

test('a word has the right position, whether or not the text around it is ASCII', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(findWords(`${text} é`).slice(0, -1)).toEqual(findWords(text))
    }),
    { numRuns: effort({ short: 400, long: 2000 }) },
  )
})
