import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toColumn, toParameter } from './text-columns.ts'

/** Any UTF-16 units, halves of pairs, NUL and the mark among them. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 0xffff })))
  .map((codes) => String.fromCharCode(...codes))

test('every text comes back as it went in, and what is kept PostgreSQL can keep', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const kept = toParameter(text) as string
      expect(toColumn(kept)).toBe(text)
      expect(kept.includes('\0')).toBe(false)
      expect(kept.isWellFormed()).toBe(true)
    }),
  )
})

test('texts that are the same are kept the same, and others are not', () => {
  fc.assert(
    fc.property(anyText, anyText, (one, other) => {
      expect(toParameter(one) === toParameter(other)).toBe(one === other)
    }),
  )
})

test('lists are kept item by item, and what is no text as it is', () => {
  expect(toParameter(['a', 'b\0', null, 3])).toEqual(['a', '\u0001"b\\u0000"', null, 3])
  expect(toParameter(7)).toBe(7)
  expect(toParameter(null)).toBe(null)
})
