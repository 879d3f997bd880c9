import { expect, test } from 'vitest'
import { withIdleCallback } from '../import-export.ts'

const wait = (ms: number) => new Promise((wake) => setTimeout(wake, ms))

test('what comes without a break is handed on, and nobody is called', async () => {
  async function* pieces() {
    yield* [1, 2, 3]
  }
  let calls = 0
  const onIdle = async () => {
    calls += 1
  }
  const seen: number[] = []
  for await (const piece of withIdleCallback(pieces(), onIdle)) seen.push(piece)
  expect(seen).toEqual([1, 2, 3])
  expect(calls).toBe(0)
})

test('an idle period is reported once, before the data that follows it', async () => {
  const seen: string[] = []
  async function* pieces() {
    yield 'a'
    yield 'b'
    await wait(600)
    yield 'c'
  }
  for await (const piece of withIdleCallback(pieces(), async () => void seen.push('quiet'))) seen.push(piece)
  expect(seen).toEqual(['a', 'b', 'quiet', 'c'])
})

test('a source that fails fails here, also after a break', async () => {
  async function* pieces() {
    yield 1
    await wait(400)
    throw new Error('unplugged')
  }
  const read = async () => {
    for await (const _ of withIdleCallback(pieces(), async () => undefined));
  }
  await expect(read()).rejects.toThrow('unplugged')
})

test('an error of the idle callback is thrown at once, even if no more data arrives', async () => {
  async function* pieces() {
    yield 1
    await new Promise(() => undefined)
  }
  const full = async () => {
    throw new Error('the disk is full')
  }
  const read = async () => {
    for await (const _ of withIdleCallback(pieces(), full));
  }
  await expect(read()).rejects.toThrow('the disk is full')
})

test('who stops reading lets go of the source', async () => {
  let isLetGo = false
  async function* pieces() {
    try {
      for (let i = 0; ; i++) yield i
    } finally {
      isLetGo = true
    }
  }
  for await (const piece of withIdleCallback(pieces(), async () => undefined)) if (piece === 3) break
  expect(isLetGo).toBe(true)
})
