import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batch, byKey } from './batch.ts'

test('calls made in the same tick are answered in one batch, each with its own result', async () => {
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

test('any number of calls each get their own answer, and no batch grows too large', async () => {
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

test('a failure rejects every call of the batch and none of the later ones', async () => {
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

test('rows are grouped by key, in order', () => {
  const rows = [
    { at: 3, name: 'a' },
    { at: 1, name: 'b' },
    { at: 3, name: 'c' },
  ]
  expect(byKey(3, rows)).toEqual([[rows[1]], [], [rows[0], rows[2]]])
})
