import { describe, expect, test } from 'vitest'
import { readFixture, readForeign } from '../../../../test/support/import-fixtures.ts'
import { chatgpt } from './chatgpt.ts'

const [lisbon, broken, alfama] = readFixture('chatgpt-conversations.json')

const read = (value: unknown) => readForeign(chatgpt, value)
const node = (id: string, parent: string | null, message: object | null, children: string[] = []) => ({
  id,
  parent,
  children,
  message,
})
const said = (role: string, content: object, more: object = {}) => ({
  author: { role },
  create_time: 1_714_560_000,
  content,
  metadata: {},
  recipient: 'all',
  ...more,
})
const text = (words: string) => ({ content_type: 'text', parts: [words] })
const conversation = (mapping: object, more: object = {}) => ({ id: 'c', title: 'T', mapping, ...more })

describe('a conversation of ChatGPT', () => {
  test('keeps its title, times, model, star, and what the user wants in general', () => {
    const { messages: _, branches: __, problems: ___, ...rest } = read(lisbon)
    expect(rest).toMatchObject({
      kind: 'conversation',
      id: '6631d1c0-0001-8000-8000-000000000001',
      title: 'Where to eat in Lisbon',
      createdAt: new Date(1_714_560_000_250),
      isPinned: true,
      metadata: {
        model: 'auto',
        updatedAt: '2024-05-01T11:40:00.500Z',
        customInstructions: { profile: 'I work as a nurse.', instructions: 'Be brief.' },
      },
      facts: [],
      repeated: [
        { name: 'profile', facts: [{ text: 'I work as a nurse.' }] },
        { name: 'instructions', facts: [{ text: 'Be brief.', kind: 'preference' }] },
      ],
    })
    expect(read(alfama)).toMatchObject({ isArchived: true })
    expect(read(conversation({}, { is_do_not_remember: true }))).toMatchObject({ isMemoryOn: false })
  })

  test('is its current branch, with images, files, tools and thoughts as parts', () => {
    expect(read(lisbon).messages).toEqual([
      {
        id: 'u1',
        role: 'user',
        content: 'I am vegetarian. Where should we eat in Lisbon?',
        createdAt: new Date(1_714_560_001_500),
      },
      {
        id: 'a1',
        role: 'assistant',
        content: 'The Tiled Kitchen has a fine menu.',
        createdAt: new Date(1_714_560_020_000),
        metadata: {
          model: 'gpt-4o',
          citations: [{ url: 'https://example.com/tiled-kitchen', title: 'The Tiled Kitchen' }],
        },
      },
      {
        id: 'u2',
        role: 'user',
        content: [
          { type: 'image', url: 'sediment://file_00000000aaaa', width: 1024, height: 768 },
          { type: 'text', text: 'What is on this menu?' },
          { type: 'file', url: 'sediment://file_00000000bbbb', mediaType: 'audio/wav' },
          { type: 'file', url: 'file-service://file-cccc', name: 'budget.csv', mediaType: 'text/csv' },
        ],
        createdAt: new Date(1_714_560_030_000),
      },
      {
        id: 'call',
        role: 'assistant',
        content: [
          {
            type: 'tool-call',
            toolCallId: 'call',
            toolName: 'python',
            input: { code: 'print(12 * 3)', language: 'python' },
          },
        ],
        createdAt: new Date(1_714_560_040_000),
        metadata: { model: 'gpt-4o' },
      },
      {
        id: 'result',
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: 'call', toolName: 'python', output: '36\n' }],
        createdAt: new Date(1_714_560_041_000),
      },
      {
        id: 'thoughts',
        role: 'assistant',
        content: [{ type: 'reasoning', text: 'Adding up\nThree dishes at 12 each.' }],
        createdAt: new Date(1_714_560_042_000),
        metadata: { model: 'o3' },
      },
      {
        id: 'a2',
        role: 'assistant',
        content: 'Three dishes for 36 euros.',
        createdAt: new Date(1_714_560_043_000),
        metadata: { model: 'o3' },
      },
    ])
  })

  test('has regenerated answers, and what followed them, as branches', () => {
    const { branches } = read(lisbon)
    expect(branches).toMatchObject([{ after: 'u1', messages: [{ id: 'a1-old' }, { id: 'u2-old' }] }])
  })

  test('tells once of content that is not known, and keeps its text', () => {
    const { messages, problems } = read(alfama)
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Plan a walk through Alfama'],
      [
        'tool',
        [
          {
            type: 'tool-result',
            toolCallId: 'quote',
            toolName: 'browser',
            output: {
              url: 'https://example.com/alfama',
              title: 'Alfama on foot',
              text: 'Begin at the castle.',
            },
          },
        ],
      ],
      ['assistant', 'A map of Alfama'],
      [
        'tool',
        [
          {
            type: 'tool-result',
            toolCallId: 'failed',
            toolName: 'browser',
            output: { error: 'tool_error', text: 'The page did not answer' },
            isError: true,
          },
        ],
      ],
    ])
    expect(problems).toEqual([
      {
        place: 'node 4',
        reason: 'unknown content type "map_widget"; its text was kept',
        isSkipped: false,
        isOnce: true,
      },
    ])
  })

  test('without messages is no conversation', () => {
    expect(chatgpt.recognizes(broken)).toBe(false)
    expect(() => read(broken)).toThrow('missing "mapping" with messages')
  })

  test.each([
    ['a call with JSON', { content_type: 'code', text: '{"prompt":"a cat"}' }, { prompt: 'a cat' }],
    ['a call in words', { content_type: 'text', parts: ['User likes tea'] }, { text: 'User likes tea' }],
    [
      'code of no language',
      { content_type: 'code', language: 'unknown', text: 'search("x")' },
      { code: 'search("x")' },
    ],
  ])('keeps %s as what the tool was given', (_what, content, given) => {
    const mapping = { a: node('a', null, said('assistant', content, { recipient: 'tool.run' })) }
    expect(read(conversation(mapping)).messages[0]?.content).toEqual([
      { type: 'tool-call', toolCallId: 'a', toolName: 'tool.run', input: given },
    ])
  })

  test('keeps pictures of tools as references in what they answered', () => {
    const picture = {
      content_type: 'image_asset_pointer',
      asset_pointer: 'file-service://file-1',
      width: 10,
      height: 10,
    }
    const mapping = {
      a: node('a', null, said('assistant', text('{"prompt":"a cat"}'), { recipient: 'dalle.text2im' }), [
        'b',
      ]),
      b: node('b', 'a', {
        ...said('tool', { content_type: 'multimodal_text', parts: [picture] }),
        author: { role: 'tool', name: 'dalle.text2im' },
      }),
    }
    expect(read(conversation(mapping)).messages[1]?.content).toEqual([
      {
        type: 'tool-result',
        toolCallId: 'a',
        toolName: 'dalle.text2im',
        output: { images: [{ url: 'file-service://file-1', width: 10, height: 10 }] },
      },
    ])
  })

  test.each<[string, unknown]>([
    ['nothing', null],
    ['a number', 7],
    ['a message without content', { author: { role: 'user' } }],
    ['a message of nobody', { content: text('x') }],
    ['content that is a list', { author: { role: 'user' }, content: [] }],
    ['parts that are a text', said('user', { content_type: 'text', parts: 'x' })],
    ['parts of all kinds', said('user', { content_type: 'text', parts: [null, 1, [], {}, ''] })],
    ['a role that is none', said('critic', text('x'))],
  ])('does not stumble over %s in place of a message', (_what, message) => {
    const mapping = { a: node('a', null, message as object), b: node('b', 'a', said('user', text('Hello'))) }
    expect(read(conversation(mapping)).messages).toMatchObject([{ id: 'b', content: 'Hello' }])
  })

  test('follows children if the parent is missing, and treats invalid nodes as empty', () => {
    const first = { id: 'a', message: said('user', text('One')), children: ['b'] }
    const second = { id: 'b', message: said('assistant', text('Two')), children: [] }
    const { messages } = read(conversation({ a: first, b: second, c: null, d: 'x' }, { current_node: 'b' }))
    expect(messages.map(({ content }) => content)).toEqual(['One', 'Two'])
  })
})
