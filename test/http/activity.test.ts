import { expect, test } from 'vitest'
import { serveTemporary } from '../support/http-server.ts'

test('activity reports messages and contexts per day, and the tokens of whole conversations', async () => {
  const { ask, memory } = await serveTemporary()
  const trip = memory.conversation('trip')
  const messages = Array.from({ length: 60 }, (_, i) => ({
    role: i % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `Turn ${i} of a long talk about Lisbon, its trams, its hills and its cafés.`,
  }))
  await trip.record(messages)
  await trip.context('Where should we eat?', { budgetTokens: 600 })
  const { status, body } = await ask('GET', '/api/activity?days=7')
  expect(status).toBe(200)
  expect(body.days).toHaveLength(7)
  const today = body.days.at(-1)
  expect(today.messages).toBe(60)
  expect(today.contexts).toBe(1)
  expect(today.contextTokens).toBeLessThanOrEqual(600)
  expect(today.historyTokens).toBeGreaterThan(today.contextTokens)
  const sections = Object.values<number>(body.sections).reduce((sum, tokens) => sum + tokens, 0)
  expect(sections).toBeGreaterThan(0)
})

test('days before the first use are empty, and the number of days is validated', async () => {
  const { ask } = await serveTemporary()
  const { body } = await ask('GET', '/api/activity?days=3')
  expect(body.days.map(({ messages }: { messages: number }) => messages)).toEqual([0, 0, 0])
  expect((await ask('GET', '/api/activity?days=0')).status).toBe(422)
})

test('statistics and metrics count the turns of people, and how long conversations last', async () => {
  let now = new Date('2026-06-01T12:00:00Z')
  const { ask, memory } = await serveTemporary({}, { clock: () => now })
  const trip = memory.conversation('trip')
  await trip.record({ role: 'user', content: 'Where does the tram stop?' })
  await trip.record({ role: 'assistant', content: 'At the castle.' })
  now = new Date('2026-06-01T12:10:00Z')
  await trip.record({ id: 'last', role: 'user', content: 'And the bus?' })
  await memory.workspace('ben').conversation('a').record({ role: 'user', content: 'Hello' })
  expect((await ask('GET', '/api/stats')).body.statistics).toMatchObject({
    turns: 2,
    conversationSeconds: 600,
  })
  const { text } = await ask('GET', '/metrics')
  expect(text).toContain('recollect_conversation_turns 3\n')
  expect(text).toContain('recollect_conversation_seconds 600\n')
  await memory.messages.erase('last')
  expect((await memory.statistics()).turns).toBe(1)
})
