import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type KnownConversation, RecentConversations } from './recent-conversations.ts'

const read = (messages: number) => ({ reading: { cursor: messages } }) as unknown as KnownConversation

test('keeps the given number of long conversations, those used last', () => {
  const recent = new RecentConversations(2)
  for (const name of ['a', 'b', 'c']) recent.set(name, read(100_000))
  expect(['a', 'b', 'c'].map((name) => recent.get(name) !== undefined)).toEqual([false, true, true])
})

test('keeps more conversations if they are short', () => {
  const recent = new RecentConversations(2)
  for (let i = 0; i < 100; i++) recent.set(`c${i}`, read(20))
  expect(recent.size).toBe(32)
  recent.set('long', read(100_000))
  expect(recent.size).toBe(17)
})

test('a conversation that grows evicts others', () => {
  const recent = new RecentConversations(1)
  for (let i = 0; i < 16; i++) recent.set(`c${i}`, read(20))
  recent.set('c15', read(2100))
  expect(recent.size).toBe(12)
  recent.delete('c15')
  for (let i = 20; i < 40; i++) recent.set(`c${i}`, read(20))
  expect(recent.size).toBe(16)
})

test('never exceeds its capacity', () => {
  const steps = fc.array(fc.record({ name: fc.nat(30), messages: fc.nat(20_000), isForgotten: fc.boolean() }))
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 4 }), (list, long) => {
      const recent = new RecentConversations(long)
      for (const { name, messages, isForgotten } of list) {
        if (isForgotten) recent.delete(`c${name}`)
        else recent.set(`c${name}`, read(messages))
        expect(recent.size).toBeLessThanOrEqual(long * 16)
        if (!isForgotten) expect(recent.get(`c${name}`)).toBeDefined()
      }
    }),
  )
})
