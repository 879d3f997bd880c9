import { describe, expect, test } from 'vitest'
import { readFixture, readForeign, wordsOf } from '../../../../test/support/import-fixtures.ts'
import { claude } from './claude.ts'

const [train, old] = readFixture('claude-conversations.json')
const [memories] = readFixture('claude-memories.json')
const read = (value: unknown) => readForeign(claude, value)
const withContent = (content: unknown, more: object = {}) => ({
  uuid: 'c',
  chat_messages: [{ uuid: 'm', sender: 'assistant', text: '', content, ...more }],
})

describe('a conversation of Claude', () => {
  test('keeps its name, summary and times', () => {
    expect(read(train)).toMatchObject({
      id: 'aaaaaaaa-0000-4000-8000-000000000001',
      title: 'Train from Porto',
      createdAt: new Date('2026-03-01T09:00:00.123Z'),
      metadata: { summary: 'The user asked about trains to Porto.', updatedAt: '2026-03-01T09:10:00.000Z' },
      problems: [],
    })
    expect(read(old)).not.toHaveProperty('title')
  })

  test('has thoughts, calls and results in their order, results as messages of the tool', () => {
    expect(wordsOf(read(train).messages)).toEqual([
      [
        'm1',
        'user',
        [
          { type: 'text', text: 'When does the train leave?' },
          { type: 'file', url: 'claude-attachment:m1/1', name: 'timetable.txt', mediaType: 'txt' },
          { type: 'text', text: 'Porto 10:05 11:05' },
          { type: 'image', url: 'claude-file:f1', mediaType: 'image/*' },
        ],
      ],
      [
        'm2',
        'assistant',
        [
          { type: 'reasoning', text: 'The timetable is attached.' },
          { type: 'text', text: 'Let me look.' },
          { type: 'tool-call', toolCallId: 'toolu_1', toolName: 'timetable', input: { from: 'Porto' } },
        ],
      ],
      [
        'm2.2',
        'tool',
        [{ type: 'tool-result', toolCallId: 'toolu_1', toolName: 'timetable', output: '10:05' }],
      ],
      ['m2.3', 'assistant', 'It leaves at 10:05.'],
      [
        'm3',
        'user',
        [
          { type: 'text', text: 'And back on Sunday?' },
          { type: 'text', text: 'A long paste' },
        ],
      ],
    ])
    expect(read(train).messages[3]?.createdAt).toEqual(new Date('2026-03-01T09:00:05Z'))
  })

  test('has what was edited as a branch', () => {
    expect(read(train).branches).toMatchObject([
      { after: 'm2.3', messages: [{ id: 'm3-first', content: 'And back?' }] },
    ])
  })

  test('that tells no parents is a list, and says who is not known', () => {
    const { messages, problems } = read(old)
    expect(wordsOf(messages)).toEqual([
      ['old1', 'user', 'Old exports are a list'],
      ['old2', 'assistant', 'Indeed.'],
    ])
    expect(problems).toMatchObject([{ place: 'message 3', isSkipped: true }])
  })

  test('may have calls without ids, failures, and results that are no text', () => {
    const content = [
      { type: 'tool_use', name: 'web', input: null },
      { type: 'tool_result', name: 'web', content: [{ type: 'image', source: 'x' }], is_error: true },
    ]
    expect(wordsOf(read(withContent(content)).messages)).toEqual([
      ['m', 'assistant', [{ type: 'tool-call', toolCallId: 'm-1', toolName: 'web', input: {} }]],
      [
        'm.2',
        'tool',
        [
          {
            type: 'tool-result',
            toolCallId: 'm-1',
            toolName: 'web',
            output: [{ type: 'image', source: 'x' }],
            isError: true,
          },
        ],
      ],
    ])
  })

  test('keeps of pages that were found their titles and addresses, and of thoughts that are hidden their summaries', () => {
    const page = {
      type: 'knowledge',
      title: 'Trains',
      url: 'https://example.com',
      text: 'Hourly',
      metadata: { x: 1 },
    }
    const content = [
      { type: 'thinking', thinking: '', summaries: [{ summary: 'Looking it up' }] },
      { type: 'tool_use', id: 't', name: 'web_search', input: { query: 'trains' } },
      { type: 'tool_result', tool_use_id: 't', name: 'web_search', content: [page] },
    ]
    const { messages } = read(withContent(content))
    expect(messages[0]?.content).toMatchObject([
      { type: 'reasoning', text: 'Looking it up' },
      { toolCallId: 't' },
    ])
    expect(messages[1]?.content).toMatchObject([
      { output: [{ title: 'Trains', url: 'https://example.com', text: 'Hourly' }] },
    ])
  })

  test('may have unknown blocks: their text is kept, and this is reported once', () => {
    const { messages, problems } = read(withContent([{ type: 'hologram', text: 'A rose' }, null, 7]))
    expect(wordsOf(messages)).toEqual([['m', 'assistant', 'A rose']])
    expect(problems).toMatchObject([{ isOnce: true, isSkipped: false }])
  })

  test('whose blocks say nothing has its text', () => {
    expect(wordsOf(read(withContent([], { text: 'Plain' })).messages)).toEqual([['m', 'assistant', 'Plain']])
  })
})

test('what Claude wrote down about the user comes as statements, without headings', () => {
  const { facts } = claude.read(memories, '') as unknown as { facts: { id: string; text: string }[] }
  expect(facts.map(({ text }) => text)).toEqual([
    'Ana is a nurse in Porto.',
    'Prefers trains to planes',
    'Is vegetarian',
    'The trip is in May.',
  ])
  expect(new Set(facts.map(({ id }) => id)).size).toBe(4)
})

test('projects and users of Claude are no conversations', () => {
  expect(claude.recognizes({ uuid: 'p', name: 'A project', docs: [] })).toBe(false)
  expect(() => claude.read({ uuid: 'p', name: 'A project' }, '')).toThrow('missing "chat_messages"')
})
