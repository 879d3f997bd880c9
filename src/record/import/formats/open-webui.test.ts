import { describe, expect, test } from 'vitest'
import { readFixture, readForeign, wordsOf } from '../../../../test/support/import-fixtures.ts'
import { openWebui, readDetails } from './open-webui.ts'

const [paris, old] = readFixture('open-webui.json')
const read = (value: unknown) => readForeign(openWebui, value)

describe('a chat of Open WebUI', () => {
  test('keeps title, times, tags, pin, archive and system prompt', () => {
    expect(read(paris)).toMatchObject({
      id: 'dddddddd-0000-4000-8000-000000000001',
      title: 'Weather in Paris',
      createdAt: new Date(1_700_001_000_000),
      tags: ['weather', 'travel'],
      isArchived: true,
      isPinned: true,
      metadata: { model: 'llama3.1:latest', systemPrompt: 'Answer in one sentence.' },
    })
  })

  test('is its current branch, read from the items of the answer; files are references without bytes', () => {
    const { messages } = read(paris)
    expect(wordsOf(messages)).toEqual([
      [
        'w1',
        'user',
        [
          { type: 'text', text: 'Is it raining?' },
          { type: 'image', url: expect.stringMatching(/^omitted:[0-9a-f]{16}$/), mediaType: 'image/png' },
          { type: 'file', url: 'doc-1', name: 'report.pdf', mediaType: 'application/pdf' },
        ],
      ],
      [
        'w4',
        'assistant',
        [
          { type: 'reasoning', text: 'Ask the tool.' },
          { type: 'tool-call', toolCallId: 'call_1', toolName: 'get_weather', input: { city: 'Paris' } },
        ],
      ],
      ['w4.2', 'tool', [{ type: 'tool-result', toolCallId: 'call_1', output: '18 degrees, rain' }]],
      ['w4.3', 'assistant', 'It rains.'],
    ])
    expect(messages[1]).toMatchObject({
      createdAt: new Date(1_700_001_030_000),
      metadata: { model: 'gpt-4o' },
    })
  })

  test('of an older version has thoughts and tools in its text', () => {
    expect(read(paris).branches.map(({ after, messages }) => [after, wordsOf(messages)])).toEqual([
      [
        'w1',
        [
          [
            'w2',
            'assistant',
            [
              { type: 'reasoning', text: 'Look outside.' },
              { type: 'tool-call', toolCallId: 'call_9', toolName: 'weather', input: { city: 'Paris' } },
            ],
          ],
          [
            'w2.2',
            'tool',
            [{ type: 'tool-result', toolCallId: 'call_9', toolName: 'weather', output: 'rain' }],
          ],
          ['w2.3', 'assistant', 'Yes, it rains.'],
          ['w3', 'user', 'Thanks'],
        ],
      ],
    ])
  })

  test('may be a plain list, with or without a frame', () => {
    const { messages, problems } = read(old)
    expect(wordsOf(messages)).toEqual([
      ['0', 'user', 'Hello'],
      ['1', 'assistant', 'Hi there!'],
    ])
    expect(problems).toMatchObject([{ place: 'message 3', isSkipped: true }])
    expect(openWebui.recognizes(paris.chat)).toBe(true)
    expect(openWebui.recognizes({ chat: {} })).toBe(false)
  })

  test('keeps text with other details in it as it is, and is not slow with a million of them', () => {
    const text = 'See <details><summary>More</summary>Words</details> here.'
    expect(readDetails(text)).toEqual([{ type: 'text', text }])
    expect(readDetails('<details type="reasoning">'.repeat(100_000))).toHaveLength(1)
  })
})
