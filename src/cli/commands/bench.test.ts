import fc from 'fast-check'
import { expect, test } from 'vitest'
import { madeUpTalk, measure, percentile } from './bench.ts'

test('half of the values are no larger than the median, and 95 of 100 no larger than the other figure', () => {
  expect(percentile([5, 1, 4, 2, 3], 0.5)).toBe(3)
  expect(
    percentile(
      Array.from({ length: 100 }, (_, i) => i + 1),
      0.95,
    ),
  ).toBe(95)
  fc.assert(
    fc.property(
      fc.array(fc.double({ noNaN: true }), { minLength: 1 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (values, share) => {
        const found = percentile(values, share)
        expect(values).toContain(found)
        expect(values.filter((value) => value <= found).length).toBeGreaterThanOrEqual(share * values.length)
      },
    ),
  )
})

test('the first calls are not measured', async () => {
  const called: number[] = []
  const { calls, p50Ms } = await measure({
    what: 'a',
    about: 'b',
    calls: 20,
    call: async (index) => {
      called.push(index)
      if (index < 2) await new Promise((wake) => setTimeout(wake, 30))
    },
  })
  expect([called.length, calls]).toEqual([22, 20])
  expect(p50Ms).toBeLessThan(20)
})

test('the talk is the same every time, and as long as asked for', () => {
  expect(madeUpTalk(50)).toEqual(madeUpTalk(50))
  expect(new Set(madeUpTalk(200).map(({ content }) => content)).size).toBe(200)
})
