import { expect, test } from 'vitest'
import { isMemoryError } from '../domain/errors.ts'
import { LIMIT_CONSTANTS, LIMIT_DEFAULTS } from '../options/limit-options.ts'
import { chatBody, contextRequest } from './chat.ts'
import { check } from './check.ts'
import { newFact, newNote } from './knowledge.ts'
import { newMessage, newMessages } from './message.ts'
import { recallRequest } from './recall.ts'

const LIMITS = { ...LIMIT_DEFAULTS, ...LIMIT_CONSTANTS }

type Schema = Parameters<typeof check>[0]

function refusalOf(schema: Schema, value: unknown, limits = LIMITS) {
  try {
    check(schema, value, { limits })
  } catch (error) {
    if (!isMemoryError(error)) throw error
    return [error.code, error.message, error.hint]
  }
  return []
}

const part = (more: object) => ({
  role: 'assistant',
  content: ['x', more].map((one) => (one === 'x' ? { type: 'text', text: 'x' } : one)),
})

test.each([
  [newFact, 5, 'a fact must be an object, not 5'],
  [newFact, { attribute: 'home' }, 'value is required'],
  [newFact, { attribute: 'home', value: 5 }, 'value must be a string, not 5'],
  [
    newFact,
    { attribute: 'home', value: 'x', kind: 'lie' },
    'kind must be one of fact, preference, instruction, statement, not "lie"',
  ],
  [newFact, { attribute: 'home', value: 'x', validFrom: '1 May' }, 'validFrom is not a date: "1 May"'],
  [newNote, { text: 'x', source: { url: 'ftp://a' } }, 'source.url is not a web address'],
  [newMessage, part({ type: 'tool-call', toolCallId: 'a', input: 1 }), 'content[1].toolName is required'],
  [
    newMessage,
    part({ type: 'tool-call', toolCallId: 'a', toolName: 5, input: 1 }),
    'content[1].toolName must be a string, not 5',
  ],
  [
    newMessage,
    part({ type: 'constructor' }),
    'content[1].type must be one of text, reasoning, image, file, tool-call, tool-result, not "constructor"',
  ],
  [
    newMessage,
    part({ type: '__proto__' }),
    'content[1].type must be one of text, reasoning, image, file, tool-call, tool-result, not "__proto__"',
  ],
  [newMessage, { role: 'user', content: 5 }, 'content must be a string or an array, not 5'],
  [
    newMessages,
    { messages: [{ role: 'user', content: 'x' }, { role: 'user' }] },
    'messages[1].content is required',
  ],
  [contextRequest, { budgetTokens: 1.5 }, 'budgetTokens must be a whole number, not 1.5'],
  [
    recallRequest,
    { query: 'x', from: '2026-02-01', to: '2026-01-01' },
    'to is 2026-01-01T00:00:00.000Z, which is before from (2026-02-01T00:00:00.000Z)',
  ],
  [chatBody, {}, 'a chat turn needs a message or regenerate'],
])('a wrong request names the field, what was expected and what came (%#)', (schema, value, message) => {
  expect(refusalOf(schema, value)[1]).toBe(message)
})

test('an unknown field is named with the known ones', () => {
  expect(refusalOf(newNote, { text: 'x', toString: 1 })).toEqual([
    'invalid-input',
    'unknown field "toString" in a note',
    'known fields: text, source, createdAt, expiresAt, conversationId, messageIds',
  ])
})

test('several problems are listed together', () => {
  expect(refusalOf(newFact, { attribute: 1, value: 2 })).toEqual([
    'invalid-input',
    'attribute must be a string, not 1',
    'also: value must be a string, not 2',
  ])
})

test('the limits of the memory apply, and none without them', () => {
  const fact = { attribute: 'home', value: 'x'.repeat(600) }
  expect(refusalOf(newFact, fact)).toEqual([
    'too-large',
    'value has 600 characters; the maximum is 500',
    'shorten it',
  ])
  expect(refusalOf(newFact, fact, { ...LIMITS, factCharacters: 600 })).toEqual([])
  expect(check(newFact, fact)).toEqual(fact)
})

test('a long value is not repeated in the error', () => {
  expect(refusalOf(newFact, { attribute: 'home', value: 'x', kind: 'secret'.repeat(20) })[1]).toContain(
    'not a string of 120 characters',
  )
})
