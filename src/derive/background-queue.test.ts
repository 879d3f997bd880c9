import { expect, test } from 'vitest'
import { BackgroundQueue } from './background-queue.ts'

const turn = () => new Promise((next) => setImmediate(next))

test('of many pieces of work only a few are under way at once, and all come to their end', async () => {
  const queue = new BackgroundQueue()
  let [underWay, most, done] = [0, 0, 0]
  for (let i = 0; i < 100; i++) {
    queue.add('chat', async () => {
      underWay += 1
      most = Math.max(most, underWay)
      await turn()
      underWay -= 1
      done += 1
    })
  }
  expect([queue.size, new Set(queue.keys).size]).toEqual([100, 1])
  await queue.whenIdle()
  expect([done, queue.size]).toEqual([100, 0])
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(4)
})

test('who asks for something meanwhile does not wait for all of them', async () => {
  const queue = new BackgroundQueue()
  let done = 0
  for (let i = 0; i < 100; i++) {
    queue.add('chat', async () => {
      done += 1
    })
  }
  await turn()
  await turn()
  expect(done).toBeLessThan(50)
  await queue.whenIdle()
  expect(done).toBe(100)
})

test('work that is called for by other work is waited for, too', async () => {
  const queue = new BackgroundQueue()
  const seen: string[] = []
  queue.add('chat', async () => {
    seen.push('first')
    queue.add('chat', async () => {
      seen.push('second')
    })
  })
  await queue.whenIdle()
  expect(seen).toEqual(['first', 'second'])
})
