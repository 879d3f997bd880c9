// A topic as a part of a prompt, its summary by a model, and what feedback does to it.

import { expect, test } from 'vitest'
import { scriptedModel } from '../../src/model/scripted/testing.ts'
import { serveTemporary } from '../support/http-server.ts'
import { openTemporary } from '../support/open-temporary.ts'

const LOOM = Array.from({ length: 20 }, (_, i) => ({
  id: `loom-${i}`,
  role: i % 2 === 0 ? ('user' as const) : ('assistant' as const),
  content: `The loom needs warp threads of linen, and shaft ${i} of the loom lifts the threads of the weave.`,
}))

test('has its summary and its live messages, and all messages after it was restored', async () => {
  const memory = await openTemporary()
  const chat = memory.conversation('workshop')
  await chat.record(LOOM)
  await memory.whenDerived()
  const [topic] = (await chat.topics.list()).items
  const { id, compressedMessages = 0, activeMessages } = topic as NonNullable<typeof topic>
  expect(compressedMessages).toBeGreaterThan(0)
  const live = await chat.topics.context(id)
  expect(live.messages.map((message) => message.id)).toEqual(
    LOOM.slice(-(activeMessages ?? 0)).map((message) => message.id),
  )
  expect(live.summary).not.toBe('')
  expect(live.text).toContain('<recollect-memory>')
  expect(live.text).toContain('shaft 19')
  expect(live.tokens).toBeGreaterThan(0)
  await chat.topics.restore(id)
  const restored = await chat.topics.context(id)
  expect(restored.messages).toHaveLength(LOOM.length)
  expect(restored.text).toContain('shaft 0')
  const small = await chat.topics.context(id, { budgetTokens: 120 })
  expect(small.tokens).toBeLessThanOrEqual(120)
  expect(small.messages.at(-1)?.id).toBe('loom-19')
  await expect(chat.topics.context('nothing')).rejects.toMatchObject({ code: 'not-found' })
  await expect(chat.topics.context(id, { budgetTokens: 0 })).rejects.toMatchObject({ code: 'invalid-input' })
})

test('is available over HTTP', async () => {
  const { server, memory } = await serveTemporary()
  await memory.conversation('workshop').record(LOOM)
  const url = `${server.url}/api/conversations/workshop/topics/loom-0/context`
  const response = await fetch(`${url}?budgetTokens=300`)
  expect(response.status).toBe(200)
  const body = (await response.json()) as { text: string; tokens: number; messages: unknown[] }
  expect(body.text).toContain('shaft 19')
  expect(body.tokens).toBeLessThanOrEqual(300)
  expect((await fetch(url.replace('loom-0', 'nothing'))).status).toBe(404)
})

test('the summary is written by a model if there is one, once for the same messages', async () => {
  const model = scriptedModel(['{"summary":"They warp a loom with linen.","keyTopics":["loom"]}'])
  const memory = await openTemporary({ languageModel: model, derive: { by: 'built-in' } })
  const chat = memory.conversation('workshop')
  await chat.record(LOOM)
  const before = model.requests.length
  expect((await chat.topics.summary('loom-0')).text).toContain('They warp a loom with linen')
  expect((await chat.topics.summary('loom-0')).text).toContain('They warp a loom with linen')
  expect(model.requests).toHaveLength(before + 1)
})

test('a model that fails leaves the summary to the built-in method', async () => {
  const memory = await openTemporary({
    languageModel: scriptedModel([new Error('gone')]),
    models: { retries: 0 },
  })
  const chat = memory.conversation('workshop')
  await chat.record(LOOM)
  expect((await chat.topics.summary('loom-0')).text).toContain('loom')
})

test('feedback changes the importance of a topic, and undoing it restores it', async () => {
  const memory = await openTemporary()
  const chat = memory.conversation('workshop')
  await chat.record(LOOM)
  const importance = async () => (await chat.topics.get('loom-0'))?.importance ?? 0
  await chat.topics.update('loom-0', { importance: 0.6 })
  const given = await memory.feedback.give({ kind: 'topic', id: 'loom-0' }, 'helpful')
  expect(given.importance).toBeCloseTo(0.68)
  expect(await importance()).toBeCloseTo(0.68)
  await memory.feedback.undo({ kind: 'topic', id: 'loom-0' })
  expect(await importance()).toBe(0.6)
  await memory.feedback.give({ kind: 'topic', id: 'loom-0' }, 'not-helpful')
  expect(await importance()).toBeCloseTo(0.48)
})
