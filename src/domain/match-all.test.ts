import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchAll } from './words.ts'

test('finds what matchAll finds, on every call', () => {
  const words = /(\p{L}+)( \p{N})?/gu
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const places = (found: Iterable<RegExpExecArray>) => [...found].map((one) => [one.index, ...one])
      expect(places(matchAll(text, words))).toEqual(places(text.matchAll(words)))
    }),
  )
})
