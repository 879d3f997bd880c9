import { expect, test } from 'vitest'
import { BackgroundQueue } from './background-queue.ts'

const turn = () => new Promise((next) => setImmediate(next))

test('runs only a few tasks at a time and finishes all of them', async () => {
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

test('lets other work run between tasks', async () => {
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

test('waits for tasks that were added by other tasks', async () => {
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
