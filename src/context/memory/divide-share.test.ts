import fc from 'fast-check'
import { expect, test } from 'vitest'
import { divideShare } from './choose-memory.ts'

const claims = fc.array(
  fc.record({ neededTokens: fc.nat({ max: 500 }), share: fc.constantFrom(0, 1 / 8, 1 / 4) }),
  { maxLength: 4 },
)
const sum = (numbers: readonly number[]) => numbers.reduce((total, next) => total + next, 0)

test('nobody gets more than is needed, and all together what there is, or all that is needed', () => {
  fc.assert(
    fc.property(claims, fc.nat({ max: 2000 }), (list, total) => {
      const parts = divideShare(total, list)
      for (const [i, part] of parts.entries()) expect(part).toBeLessThanOrEqual(list[i]?.neededTokens ?? 0)
      expect(sum(parts)).toBe(Math.min(total, sum(list.map(({ neededTokens }) => neededTokens))))
    }),
  )
})

test('each gets its share at least, or what it needs', () => {
  fc.assert(
    fc.property(claims, fc.nat({ max: 2000 }), (list, total) => {
      for (const [i, part] of divideShare(total, list).entries()) {
        const { neededTokens = 0, share = 0 } = list[i] ?? {}
        expect(part).toBeGreaterThanOrEqual(Math.min(neededTokens, total * share))
      }
    }),
  )
})

test('more to divide makes no part smaller', () => {
  fc.assert(
    fc.property(claims, fc.nat({ max: 2000 }), fc.nat({ max: 50 }), (list, total, more) => {
      const larger = divideShare(total + more, list)
      for (const [i, part] of divideShare(total, list).entries())
        expect(larger[i]).toBeGreaterThanOrEqual(part)
    }),
  )
})
