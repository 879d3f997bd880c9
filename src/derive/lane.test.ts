import { expect, test } from 'vitest'
import { Lane } from './lane.ts'

const turn = () => new Promise((next) => setImmediate(next))

test('of many pieces of work only a few are under way at once, and all come to their end', async () => {
  const lane = new Lane()
  let [underWay, most, done] = [0, 0, 0]
  for (let i = 0; i < 100; i++) {
    lane.add('chat', async () => {
      underWay += 1
      most = Math.max(most, underWay)
      await turn()
      underWay -= 1
      done += 1
    })
  }
  expect([lane.size, new Set(lane.names).size]).toEqual([100, 1])
  await lane.whenIdle()
  expect([done, lane.size]).toEqual([100, 0])
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(4)
})

test('who asks for something meanwhile does not wait for all of them', async () => {
  const lane = new Lane()
  let done = 0
  for (let i = 0; i < 100; i++) {
    lane.add('chat', async () => {
      done += 1
    })
  }
  await turn()
  await turn()
  expect(done).toBeLessThan(50)
  await lane.whenIdle()
  expect(done).toBe(100)
})

test('work that is called for by other work is waited for, too', async () => {
  const lane = new Lane()
  const seen: string[] = []
  lane.add('chat', async () => {
    seen.push('first')
    lane.add('chat', async () => {
      seen.push('second')
    })
  })
  await lane.whenIdle()
  expect(seen).toEqual(['first', 'second'])
})
