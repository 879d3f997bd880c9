import { describe, expect, test } from 'vitest'
import type { ChatEvent, ConversationHandle, Message } from '../../src/index.ts'
import { readableText, stampOf } from '../../src/index.ts'
import { scriptedModel } from '../../src/model/scripted/testing.ts'
import { openTemporary } from '../support/open-temporary.ts'

async function collect(events: AsyncIterable<ChatEvent>): Promise<readonly ChatEvent[]> {
  const all: ChatEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

const textOf = (events: readonly ChatEvent[]): string =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('')

const answerOf = (events: readonly ChatEvent[]) => {
  const last = events.at(-1)
  if (last?.type !== 'answered') throw new TypeError('the turn has no end')
  return last
}

const wordsOf = async (handle: ConversationHandle): Promise<readonly string[]> =>
  (await handle.messages()).map(({ role, content }: Message) => `${role}: ${readableText(content)}`)

describe('a turn with a model', () => {
  test('records the question, says what it remembers, streams the answer and records it', async () => {
    const model = scriptedModel(['Try the green market.'])
    const memory = await openTemporary({ languageModel: model })
    const trip = memory.conversation('trip')
    await trip.record({ role: 'user', content: 'I am vegetarian.' })
    const events = await collect(trip.chat({ message: 'Where should we eat?' }))
    expect([...new Set(events.map(({ type }) => type))]).toEqual([
      'recorded',
      'remembered',
      'text',
      'answered',
    ])
    expect(textOf(events)).toBe('Try the green market.')
    const { message, ending, model: name } = answerOf(events)
    expect({ ending, name }).toEqual({ ending: 'complete', name: 'scripted' })
    expect(await wordsOf(trip)).toEqual([
      'user: I am vegetarian.',
      'user: Where should we eat?',
      'assistant: Try the green market.',
    ])
    const receiptId = stampOf(message as Message).receiptId
    expect(await trip.receipt(receiptId as string)).toMatchObject({ messageCount: 2 })
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('vegetarian')
  })
})

describe('a turn without a model', () => {
  test('is answered with what was said, by whom and when', async () => {
    const memory = await openTemporary({ clock: () => new Date('2026-05-03T10:00:00Z') })
    const trip = memory.conversation('trip')
    await trip.record({ role: 'user', content: 'My sister Ana is allergic to peanuts.' })
    const events = await collect(trip.chat({ message: 'What is Ana allergic to?' }))
    expect(events.map(({ type }) => type)).toEqual(['recorded', 'remembered', 'notice', 'text', 'answered'])
    expect(textOf(events)).toBe(
      'No language model is connected. This is what I remember about it:\n\n> My sister Ana is allergic to peanuts.\n> — you, 3 May 2026',
    )
    expect(stampOf(answerOf(events).message as Message)).toMatchObject({ isFromMemory: true })
  })
})
