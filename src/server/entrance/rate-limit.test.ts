import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RateLimit } from './admit.ts'

test('a burst is allowed first, then requests at the steady rate', () => {
  const limit = new RateLimit({ requestsPerSecond: 10, requestBurst: 3 })
  expect([0, 0, 0].map((at) => limit.take('a', at))).toEqual([undefined, undefined, undefined])
  expect(limit.take('a', 0)).toBe(1)
  expect(limit.take('a', 99)).toBe(1)
  expect(limit.take('a', 100)).toBeUndefined()
  expect(limit.take('a', 100)).toBe(1)
  expect(limit.take('b', 100)).toBeUndefined()
})

test('0 disables the limit', () => {
  const limit = new RateLimit({ requestsPerSecond: 0, requestBurst: 1 })
  for (let i = 0; i < 100; i++) expect(limit.take('a', 0)).toBeUndefined()
})

test('at any timing, nobody gets more than the burst plus the refill', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 50 }),
      fc.array(fc.nat(400), { maxLength: 200 }),
      (requestsPerSecond, requestBurst, waits) => {
        const limit = new RateLimit({ requestsPerSecond, requestBurst })
        let now = 0
        let taken = 0
        for (const wait of waits) {
          now += wait
          if (limit.take('a', now) === undefined) taken += 1
        }
        expect(taken).toBeLessThanOrEqual(requestBurst + (now / 1000) * requestsPerSecond + 1e-6)
      },
    ),
  )
})
