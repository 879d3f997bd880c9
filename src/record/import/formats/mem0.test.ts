import { describe, expect, test } from 'vitest'
import { readFixture } from '../../../../test/support/import-fixtures.ts'
import type { ForeignFacts } from '../foreign/foreign.ts'
import { findFormat, mem0 } from './formats.ts'

const [vegetarian, porto, empty] = readFixture('mem0.json').results

describe('a memory of mem0', () => {
  test('is a statement with its time, and the end of it', () => {
    expect(mem0.read(vegetarian, '')).toEqual({
      kind: 'facts',
      facts: [
        {
          id: 'mem0-eeeeeeee-0000-4000-8000-000000000001',
          text: 'Is vegetarian',
          createdAt: new Date('2025-06-01T17:00:00Z'),
        },
      ],
    })
    expect(mem0.read(porto, '')).toMatchObject({
      facts: [{ createdAt: new Date('2025-07-02T10:00:00Z'), validUntil: new Date('2030-01-01') }],
    })
  })

  test('may call its text otherwise, and a long one is cut after sentences', () => {
    expect(mem0.read({ id: 7, content: ' Likes tea ' }, '')).toMatchObject({ facts: [{ text: 'Likes tea' }] })
    const text = `${'A sentence of some words. '.repeat(30)}${'x'.repeat(600)}`
    const { facts } = mem0.read({ id: 'a', text }, '') as ForeignFacts
    expect(facts.map(({ id }) => id)).toEqual(['mem0-a', 'mem0-a.2', 'mem0-a.3', 'mem0-a.4'])
    for (const fact of facts) expect(fact.text.length).toBeLessThanOrEqual(500)
    expect(facts[0]?.text).toMatch(/words\.$/)
  })

  test('without a text is not recognized', () => {
    expect(mem0.recognizes(empty)).toBe(false)
    expect(() => mem0.read(empty, '')).toThrow('missing "id" or "memory"')
  })
})

test.each([
  ['a rating of an answer', { id: 'x', conversation_id: 'c', rating: 'thumbs_up', content: '{}' }],
  ['a shared link', { id: 'x', conversation_id: 'c', title: 'T', is_anonymous: true }],
  ['a document of Canvas', { id: 'x', title: 'T', content: '# words' }],
  ['a project of Claude', { uuid: 'p', name: 'x', docs: [] }],
  ['a user', { id: 'u', email: 'a@example.com' }],
  ['a list', []],
  ['nothing', null],
])('%s is no record of any format', (_what, value) => {
  expect(findFormat(value)).toBeUndefined()
})

test("messages of OpenAI under an id as LibreChat has it are OpenAI's", () => {
  expect(findFormat({ conversationId: 'c', messages: [{ role: 'user', content: 'Hi' }] })?.name).toBe(
    'openai',
  )
})
