import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TokenCorrections } from './token-corrections.ts'

test('if the upstream server counts more tokens, the budget shrinks accordingly', () => {
  const corrections = new TokenCorrections()
  expect(corrections.toOwn('m', 1000)).toBe(1000)
  corrections.learn('m', 100, 125)
  expect(corrections.toOwn('m', 1000)).toBe(800)
  expect(corrections.toOwn('another', 1000)).toBe(1000)
})

test('if the upstream server counts fewer tokens, the budget stays the same', () => {
  const corrections = new TokenCorrections()
  corrections.learn('m', 100, 60)
  expect(corrections.toOwn('m', 1000)).toBe(1000)
})

test('a single outlier changes little', () => {
  const corrections = new TokenCorrections()
  for (let i = 0; i < 20; i++) corrections.learn('m', 100, 110)
  corrections.learn('m', 100, 9000)
  expect(corrections.toOwn('m', 1000)).toBeGreaterThan(750)
})

test('a corrected budget is never larger than the original, nor less than half of it', () => {
  const counts = fc.array(fc.tuple(fc.nat(10_000), fc.nat(10_000)))
  fc.assert(
    fc.property(counts, fc.integer({ min: 1, max: 1_000_000 }), (list, budget) => {
      const corrections = new TokenCorrections()
      for (const [own, theirs] of list) corrections.learn('m', own, theirs)
      const left = corrections.toOwn('m', budget)
      expect(left).toBeLessThanOrEqual(budget)
      expect(left).toBeGreaterThanOrEqual(Math.floor(budget / 2))
    }),
  )
})
