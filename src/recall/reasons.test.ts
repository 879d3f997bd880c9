import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { conversationId, messageId } from '../domain/ids.ts'
import { toLocator } from '../domain/locator.ts'
import type { Signal } from '../domain/recall.ts'
import type { FoundMessage } from './find-messages.ts'
import { readQuestion } from './question/read-question.ts'
import { type Scores, totalOf } from './rank/ranked-message.ts'
import { reasonsOf } from './reasons.ts'

const place = toLocator(1, 5)
const aMessage = (scores: Scores, changes: Partial<FoundMessage> = {}): FoundMessage => ({
  place,
  head: {
    locator: place,
    id: messageId('m5'),
    conversationId: conversationId('chat'),
    role: 'user',
    createdAt: new Date('2026-05-12T10:00:00Z'),
    tokens: 10,
  },
  scores,
  score: totalOf(scores),
  text: 'The violin is red.',
  coverage: 1,
  found: ['violin'],
  position: 5,
  near: [],
  similarity: 1,
  ...changes,
})
const ask = (text: string) => readQuestion(text, { now: new Date('2026-06-15') })
const phrases = (message: FoundMessage, question: string): Partial<Record<Signal, string>> =>
  Object.fromEntries(reasonsOf(message, ask(question)).map(({ signal, text }) => [signal, text]))

const SIGNALS: readonly Signal[] = [
  'words',
  'neighbours',
  'session',
  'conversation',
  'meaning',
  'speaker',
  'time',
  'answer',
  'substance',
  'recency',
  'importance',
]

describe('reasons', () => {
  test('come strongest first, for or against, and add up to the score', () => {
    const some = fc.dictionary(fc.constantFrom(...SIGNALS), fc.double({ min: -5, max: 5, noNaN: true }))
    fc.assert(
      fc.property(some, (scores) => {
        const reasons = reasonsOf(aMessage(scores), ask('the red violin'))
        expect(reasons.map(({ signal }) => signal).sort()).toEqual(Object.keys(scores).sort())
        const strengths = reasons.map(({ score }) => Math.abs(score))
        expect(strengths).toEqual([...strengths].sort((one, other) => other - one))
        const sum = reasons.reduce((total, { score }) => total + score, 0)
        expect(sum).toBeCloseTo(totalOf(scores), 1)
      }),
    )
  })

  test('are phrases that people read, for every signal', () => {
    const scores = Object.fromEntries(SIGNALS.map((signal) => [signal, 1]))
    for (const { signal, text } of reasonsOf(aMessage(scores), ask('the red violin'))) {
      expect(text.length).toBeGreaterThan(5)
      expect(text).not.toBe(signal)
    }
  })

  test('name the words in the message, or those in messages near it', () => {
    const scores = { words: 1, neighbours: 1 }
    expect(phrases(aMessage(scores), 'red violin')['words']).toBe('has "violin"')
    const near = phrases(aMessage(scores, { found: [], near: ['red', 'violin'] }), 'red violin')
    expect(near['neighbours']).toBe('"red", "violin" in messages near it')
    expect(near['words']).toBe('has none of the words')
  })

  test('name who said it, and when', () => {
    const said = phrases(aMessage({ speaker: 3, time: 4 }), 'last May')
    expect(said).toMatchObject({ speaker: 'said by the user', time: 'said on 2026-05-12' })
    const { head } = aMessage({})
    const byAna = aMessage({ speaker: 2 }, { head: { ...head, role: 'assistant', name: 'Ana' } })
    expect(phrases(byAna, 'Ana')['speaker']).toBe('said by Ana')
    const byAssistant = aMessage({ speaker: 2 }, { head: { ...head, role: 'assistant' } })
    expect(phrases(byAssistant, 'Ana')['speaker']).toBe('said by the assistant')
  })

  test('name what was asked for', () => {
    expect(phrases(aMessage({ answer: 1 }), 'When was the violin painted?')['answer']).toContain('a time')
    expect(phrases(aMessage({ answer: 1 }), 'How many violins?')['answer']).toContain('a number')
    expect(phrases(aMessage({ answer: 1 }), 'violin')['answer']).toBe('answers a question with these words')
  })
})
