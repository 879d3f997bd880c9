import { describe, expect, test } from 'vitest'
import { readFixture, readForeign, wordsOf } from '../../../../test/support/import-fixtures.ts'
import { librechat } from './librechat.ts'

const flat = readFixture('librechat-flat.json')
const tree = readFixture('librechat-tree.json')
const read = (value: unknown) => readForeign(librechat, value)

describe('a conversation of LibreChat', () => {
  test('keeps its title, model and system prompt', () => {
    expect(read(flat)).toMatchObject({
      id: 'bbbbbbbb-0000-4000-8000-000000000001',
      title: 'Garden plans',
      metadata: { endpoint: 'openAI', model: 'gpt-4o', systemPrompt: 'You are a gardener.' },
    })
  })

  test('is the branch with the newest message; the others are branches', () => {
    const { messages, branches, problems } = read(flat)
    expect(wordsOf(messages)).toEqual([
      [
        'g1',
        'user',
        [
          { type: 'text', text: 'What grows in shade?' },
          { type: 'image', url: '/images/u/garden.png', mediaType: 'image/png', width: 640, height: 480 },
        ],
      ],
      ['g2-again', 'assistant', 'Moss.'],
    ])
    expect(messages[1]?.metadata).toEqual({ model: 'gpt-4o', sender: 'GPT-4o', isUnfinished: true })
    expect(branches.map(({ after, messages: said }) => [after, wordsOf(said)])).toEqual([
      [
        'g1',
        [
          [
            'g2',
            'assistant',
            [
              { type: 'reasoning', text: 'Ferns, mostly.' },
              { type: 'text', text: 'Let me search.' },
              { type: 'tool-call', toolCallId: 'call_1', toolName: 'search', input: { q: 'shade plants' } },
            ],
          ],
          [
            'g2.2',
            'tool',
            [{ type: 'tool-result', toolCallId: 'call_1', toolName: 'search', output: 'ferns, hostas' }],
          ],
          ['g2.3', 'assistant', 'Ferns and hostas.'],
        ],
      ],
    ])
    expect(problems).toEqual([{ place: 'message 4', reason: 'missing "messageId"', isSkipped: true }])
  })

  test('that was exported as a tree reads the same way', () => {
    const { messages, branches } = read(tree)
    expect(messages.map(({ id }) => id)).toEqual(['b1', 'b3', 'b4'])
    expect(branches).toMatchObject([{ after: 'b1', messages: [{ id: 'b2', content: 'Two hours.' }] }])
  })

  test('may be a tree as deep as a long conversation', () => {
    let messages: object[] = []
    for (let i = 20_000; i > 0; i--)
      messages = [{ messageId: `n${i}`, text: `n${i}`, isCreatedByUser: true, children: messages }]
    const value = { conversationId: 'deep', recursive: true, messages }
    expect((librechat.read(value, '') as unknown as { messages: object[] }).messages).toHaveLength(20_000)
  })

  test('without an id or messages is not recognized', () => {
    expect(() => read({ messages: [] })).toThrow('missing "conversationId"')
    expect(librechat.recognizes({ conversationId: 'a' })).toBe(false)
  })
})
