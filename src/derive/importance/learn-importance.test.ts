import fc from 'fast-check'
import { expect, test } from 'vitest'
import { learnImportance } from './learn-importance.ts'

const share = fc.double({ min: 0, max: 1, noNaN: true })
const count = fc.nat({ max: 1000 })

test('without feedback, importance is what the application set', () => {
  expect(learnImportance(0.7, 0, 0)).toEqual({
    importance: 0.7,
    given: 0.7,
    helpful: 0,
    unhelpful: 0,
    learned: 0,
  })
})

test('one verdict changes it a little, a handful decide', () => {
  expect(learnImportance(0.5, 1, 0).importance).toBeCloseTo(0.6)
  expect(learnImportance(0.5, 10, 0).importance).toBeGreaterThan(0.8)
  expect(learnImportance(0.5, 0, 10).importance).toBeLessThan(0.2)
})

test('it stays between 0 and 1, and its parts add up', () => {
  fc.assert(
    fc.property(share, count, count, (given, helpful, unhelpful) => {
      const { importance, learned } = learnImportance(given, helpful, unhelpful)
      expect(importance).toBeGreaterThanOrEqual(0)
      expect(importance).toBeLessThanOrEqual(1)
      expect(given + learned).toBeCloseTo(importance)
    }),
  )
})

test('helpful never lowers it, unhelpful never raises it, and a higher given importance never lowers it', () => {
  fc.assert(
    fc.property(share, share, count, count, (low, high, helpful, unhelpful) => {
      const of = (given: number, up: number, down: number) => learnImportance(given, up, down).importance
      const now = of(low, helpful, unhelpful)
      expect(of(low, helpful + 1, unhelpful)).toBeGreaterThanOrEqual(now)
      expect(of(low, helpful, unhelpful + 1)).toBeLessThanOrEqual(now)
      if (high > low) expect(of(high, helpful, unhelpful)).toBeGreaterThanOrEqual(now)
    }),
  )
})
