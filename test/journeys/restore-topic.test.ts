// A topic that faded is brought back by hand, and that can be taken back.

import { expect, test } from 'vitest'
import { withTuning } from '../../src/options/resolve-options.ts'
import { openTemporary } from '../support/open-temporary.ts'

const START = Date.UTC(2026, 0, 5, 9)
const DAY_MS = 86_400_000

const TALK = [
  'Which tomatoes grow well on a balcony that faces north?',
  'How do I group expenses by day in a SQL query of PostgreSQL?',
  'Which tram goes from the hotel in Lisbon to the museum in Belém?',
  'Help me write a letter of resignation.',
] as const

async function openFaded() {
  let now = new Date(START + 30 * DAY_MS)
  const memory = await openTemporary(withTuning({ clock: () => now }, { topics: { maxActive: 2 } }))
  const chat = memory.conversation('chat')
  for (const [index, content] of TALK.entries()) {
    await chat.record({ id: `t${index}`, role: 'user', content, createdAt: new Date(START + index * DAY_MS) })
  }
  const wait = (days: number) => {
    now = new Date(now.getTime() + days * DAY_MS)
  }
  return { memory, chat, wait, now: () => now }
}

test('a restored topic is back at full strength, and fades from then on', async () => {
  const { chat, now, wait } = await openFaded()
  expect(await chat.topics.get('t0')).toMatchObject({ state: 'archived', accessCount: 1 })
  const restored = await chat.topics.restore('t0')
  expect(restored).toMatchObject({ state: 'live', accessCount: 2, lastUsedAt: now(), isPinned: false })
  expect(restored.priority).toBe(restored.importance)
  expect(restored).toMatchObject({ compressedMessages: 0, activeMessages: restored.totalMessages })
  wait(1)
  expect((await chat.topics.get('t0'))?.priority).toBeCloseTo(restored.importance / 2)
})

test('a restore can be undone once, which brings back the earlier state', async () => {
  const { chat } = await openFaded()
  const before = await chat.topics.get('t0')
  await chat.topics.restore('t0')
  expect(await chat.topics.undoRestore('t0')).toEqual(before)
  await expect(chat.topics.undoRestore('t0')).rejects.toMatchObject({ code: 'not-found' })
  await expect(chat.topics.restore('nothing')).rejects.toMatchObject({ code: 'not-found' })
})

test('undoing a second restore returns to the first', async () => {
  const { chat, wait } = await openFaded()
  await chat.topics.restore('t0')
  wait(2)
  const once = await chat.topics.get('t0')
  await chat.topics.restore('t0')
  expect(await chat.topics.get('t0')).toMatchObject({ accessCount: 3 })
  expect(await chat.topics.undoRestore('t0')).toEqual(once)
})

test('a restore shows in the curve and survives a rebuild', async () => {
  const { memory, chat, now } = await openFaded()
  await chat.topics.restore('t0')
  const to = new Date(now().getTime() + DAY_MS)
  const curves = await chat.topics.curves({ from: new Date(now().getTime() - DAY_MS), to, points: 3 })
  const [before, at, after] = curves.find(({ topicId }) => topicId === 't0')?.points ?? []
  expect(before?.priority).toBeLessThan(0.05)
  expect(at?.priority).toBe(1)
  expect(after?.priority).toBeCloseTo(0.5)
  await memory.maintenance.rebuild()
  expect(await chat.topics.get('t0')).toMatchObject({ state: 'live', accessCount: 2 })
})
