import fc from 'fast-check'
import { expect, test } from 'vitest'
import { announcedBytes, BodyMemoryLimiter } from './body-memory-limiter.ts'

const MB = 1_000_000

test('requests wait in order until enough memory is free', async () => {
  const room = new BodyMemoryLimiter({ heldBytes: 10 * MB })
  const seen: string[] = []
  const enter = async (name: string, bytes: number) => {
    const leave = await room.acquire(bytes)
    seen.push(name)
    return leave
  }
  const leaveFirst = await enter('first', 8 * MB)
  const second = enter('second', 5 * MB)
  // It would fit, but it arrived later.
  const third = enter('third', 1 * MB)
  await new Promise((next) => setImmediate(next))
  expect(seen).toEqual(['first'])
  leaveFirst()
  const leaves = [await second, await third]
  expect(seen).toEqual(['first', 'second', 'third'])
  for (const leave of leaves) leave()
})

test('small bodies never wait, and one larger than the whole limit is admitted alone', async () => {
  const room = new BodyMemoryLimiter({ heldBytes: MB })
  const leave = await room.acquire(50 * MB)
  await room.acquire(1000)
  leave()
  await room.acquire(MB)
})

test('a request that waits too long is rejected with too-many-requests and does not block others', async () => {
  const room = new BodyMemoryLimiter({ heldBytes: MB, patienceMs: 20 })
  const leave = await room.acquire(MB)
  await expect(room.acquire(MB)).rejects.toMatchObject({ code: 'too-many-requests' })
  leave()
  await room.acquire(MB)
})

test('the held bytes never exceed the limit, in whatever order requests arrive and finish', async () => {
  const sizes = fc.array(fc.integer({ min: 64 * 1024, max: 2 * MB }), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(sizes, async (list) => {
      const room = new BodyMemoryLimiter({ heldBytes: 3 * MB })
      let held = 0
      await Promise.all(
        list.map(async (bytes) => {
          const leave = await room.acquire(bytes)
          held += bytes
          expect(held).toBeLessThanOrEqual(3 * MB)
          await new Promise((next) => setImmediate(next))
          held -= bytes
          leave()
        }),
      )
      expect(held).toBe(0)
    }),
  )
})

test('the announced size is Content-Length up to the maximum, or the maximum if chunked', () => {
  const sized = (headers: Record<string, string>) =>
    announcedBytes({ headers: new Headers(headers) } as Request, 100)
  expect(sized({ 'content-length': '70' })).toBe(70)
  expect(sized({ 'content-length': '700' })).toBe(100)
  expect(sized({ 'transfer-encoding': 'chunked' })).toBe(100)
  expect(sized({})).toBe(0)
})
