import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { importFixture, readForeign, wordsOf } from '../../../../test/support/import-fixtures.ts'
import { openai } from './openai.ts'

const lines = (name: string) =>
  readFileSync(importFixture(name), 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line))
const [capital, tram, batch, named] = lines('openai-conversations.jsonl')
const read = (value: unknown) => readForeign(openai, value)

describe('a line with messages', () => {
  test('is a conversation, known by all it says', () => {
    const { id, messages } = read(capital)
    expect(id).toMatch(/^[0-9a-f]{16}$/)
    expect(read(capital).id).toBe(id)
    expect(read({ ...capital, extra: 1 }).id).not.toBe(id)
    expect(wordsOf(messages)).toEqual([
      ['0', 'system', 'You are terse.'],
      ['1', 'user', 'Capital of Portugal?'],
      ['2', 'assistant', 'Lisbon.'],
    ])
    expect(messages[2]?.metadata).toEqual({ weight: 1 })
  })

  test('may have images, calls and results', () => {
    expect(wordsOf(read(tram).messages)).toEqual([
      [
        '0',
        'user',
        [
          { type: 'text', text: 'What is this?' },
          { type: 'image', url: 'https://example.com/a.png', mediaType: 'image/*' },
        ],
      ],
      [
        '1',
        'assistant',
        [{ type: 'tool-call', toolCallId: 'call_a', toolName: 'look', input: '{"at":"a.png"}' }],
      ],
      ['2', 'tool', [{ type: 'tool-result', toolCallId: 'call_a', output: 'a tram' }]],
      ['3', 'assistant', 'A tram.'],
    ])
  })

  test('may be a request of a batch, and developers speak as the system', () => {
    expect(read(batch)).toMatchObject({
      metadata: { model: 'gpt-4o-mini', customId: 'r-1' },
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Hello' },
      ],
    })
  })

  test('that has an id keeps it, and its messages are known by what was said up to them', () => {
    const whole = read(named)
    expect(whole).toMatchObject({ id: 'chat-7', title: 'Named', createdAt: new Date(1_714_560_000_000) })
    const grown = read({ ...named, messages: [...named.messages, { role: 'user', content: 'Three' }] })
    expect(grown.messages.slice(0, 2)).toEqual(whole.messages)
    const [first, other] = read({
      ...named,
      messages: [named.messages[0], { role: 'user', content: 'Else' }],
    }).messages
    expect(first).toEqual(whole.messages[0])
    expect(other?.id).not.toBe(whole.messages[1]?.id)
  })

  test('may call functions in the old way', () => {
    const messages = [
      { role: 'assistant', content: null, function_call: { name: 'look', arguments: '{}' } },
      { role: 'function', name: 'look', content: 'a tram' },
    ]
    expect(wordsOf(read({ messages }).messages)).toEqual([
      ['0', 'assistant', [{ type: 'tool-call', toolCallId: 'look-call', toolName: 'look', input: '{}' }]],
      ['1', 'tool', [{ type: 'tool-result', toolCallId: 'look-call', toolName: 'look', output: 'a tram' }]],
    ])
  })

  test('keeps no bytes of sound and files', () => {
    const content = [
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
    ]
    expect(read({ messages: [{ role: 'user', content }] }).messages[0]?.content).toEqual([
      { type: 'file', url: expect.stringMatching(/^omitted:/), mediaType: 'audio/mp3' },
      { type: 'file', url: expect.stringMatching(/^omitted:/), name: 'a.pdf', mediaType: 'application/pdf' },
    ])
  })

  test('reports invalid messages and skips empty ones', () => {
    const messages = [
      { role: 'bot', content: 'x' },
      null,
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: '' },
    ]
    expect(read({ messages })).toMatchObject({
      messages: [{ role: 'user', content: 'Hi' }],
      problems: [
        { place: 'message 1', reason: 'unknown role "bot"', isSkipped: true },
        { place: 'message 2', isSkipped: true },
      ],
    })
  })
})

test('a line with one message says where it belongs, or not', () => {
  const [hello, , elsewhere] = lines('openai-messages.jsonl')
  expect(openai.read(hello, '')).toEqual({
    kind: 'message',
    message: { role: 'user', content: 'Hello', createdAt: new Date('2026-01-01T10:00:00Z') },
  })
  expect(openai.read(elsewhere, '')).toMatchObject({ conversationId: 's2' })
  expect(openai.recognizes({ content: 'nobody' })).toBe(false)
})
