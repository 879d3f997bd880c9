import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPositions, writePositions } from './positions.ts'

test('consecutive positions are written as a range', () => {
  expect(writePositions([3, 4, 5, 6, 9, 11, 12])).toBe('3-6,9,11-12')
  expect(writePositions([])).toBe('')
})

test('any positions survive a round trip', () => {
  const positions = fc.uniqueArray(fc.nat(500)).map((list) => list.sort((a, b) => a - b))
  fc.assert(
    fc.property(positions, (list) => {
      expect(readPositions(writePositions(list))).toEqual(list)
    }),
  )
})

test('a damaged text takes neither much time nor much memory', () => {
  expect(readPositions('3-5,x,7-,-8,0-99999999999,9-2,99999999999999999999,12')).toEqual([3, 4, 5, 12])
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789-, x') }), (text) => {
      expect(readPositions(text).length).toBeLessThan(1_000_000)
    }),
  )
})
