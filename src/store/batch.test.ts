import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batch, byKey } from './batch.ts'

test('calls that are made at the same moment are answered together, each with its own', async () => {
  const asked: (readonly number[])[] = []
  const double = batch(async (keys: readonly number[]) => {
    asked.push(keys)
    return keys.map((key) => 2 * key)
  })
  const later = async (key: number) => {
    await undefined
    return double(key)
  }
  expect(await Promise.all([double(1), later(2), double(3)])).toEqual([2, 4, 6])
  expect(asked.map((keys) => [...keys].sort())).toEqual([[1, 2, 3]])
  expect(await double(4)).toBe(8)
  expect(asked).toHaveLength(2)
})

test('however many calls are made, each gets its own answer, and no statement has very many', async () => {
  const run = async (keys: readonly number[]) => {
    const sizes: number[] = []
    const ask = batch(async (some: readonly number[]) => {
      sizes.push(some.length)
      return some.map(String)
    })
    expect(await Promise.all(keys.map(ask))).toEqual(keys.map(String))
    expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(100)
  }
  await fc.assert(fc.asyncProperty(fc.array(fc.integer(), { maxLength: 350 }), run), { numRuns: 30 })
})

test('what fails fails for all who asked, and for nobody afterwards', async () => {
  let isBroken = true
  const ask = batch(async (keys: readonly string[]) => {
    if (isBroken) throw new Error('lost')
    return keys
  })
  const answers = await Promise.allSettled([ask('one'), ask('two')])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isBroken = false
  expect(await ask('three')).toBe('three')
})

test('rows go to the key that they say, in their order', () => {
  const rows = [
    { at: 3, name: 'a' },
    { at: 1, name: 'b' },
    { at: 3, name: 'c' },
  ]
  expect(byKey(3, rows)).toEqual([[rows[1]], [], [rows[0], rows[2]]])
})
