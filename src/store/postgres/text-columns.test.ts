import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toColumn, toParameter } from './driver.ts'

/** Any UTF-16 code units, including lone surrogates, NUL and the marker. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 0xffff })))
  .map((codes) => String.fromCharCode(...codes))

test('every text is read back unchanged, and its stored form is valid in PostgreSQL', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const kept = toParameter(text) as string
      expect(toColumn(kept)).toBe(text)
      expect(kept.includes('\0')).toBe(false)
      expect(kept.isWellFormed()).toBe(true)
    }),
  )
})

test('equal texts have equal stored forms, and different texts have different ones', () => {
  fc.assert(
    fc.property(anyText, anyText, (one, other) => {
      expect(toParameter(one) === toParameter(other)).toBe(one === other)
    }),
  )
})

test('lists are converted item by item, and other values are left unchanged', () => {
  expect(toParameter(['a', 'b\0', null, 3])).toEqual(['a', '\u0001"b\\u0000"', null, 3])
  expect(toParameter(7)).toBe(7)
  expect(toParameter(null)).toBe(null)
})
