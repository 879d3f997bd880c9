import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isMemoryError } from '../domain/errors.ts'
import { resolveConfig } from '../options/resolve-options.ts'
import type { NewMessage } from '../schemas/message.ts'
import { acceptMessage } from './accept-message.ts'

const now = new Date('2026-05-01T12:00:00Z')
const { limits } = resolveConfig()
const tokenizer = { name: 'words', count: (text: string) => text.split(' ').length }
const accept = (message: unknown) => acceptMessage(message as NewMessage, { limits, tokenizer, now })

/** The code, and all the words that the caller gets to see. */
function refusalOf(message: unknown): { code: string; text: string } {
  try {
    accept(message)
  } catch (error) {
    if (isMemoryError(error)) return { code: error.code, text: `${error.message} ${error.hint ?? ''}` }
    throw error
  }
  return { code: 'accepted', text: '' }
}

const user = (more: object) => ({ role: 'user', content: 'hello', ...more })
const nested = (depth: number): unknown => (depth === 0 ? 'deep' : { in: nested(depth - 1) })
const loop: Record<string, unknown> = {}
loop['again'] = loop

describe('refused at the door, with the reason', () => {
  test.each([
    ['no object', 'hello', 'invalid-input', 'object'],
    ['an unknown role', { role: 'bot', content: 'x' }, 'invalid-input', 'system, user, assistant, tool'],
    ['no content', { role: 'user' }, 'invalid-input', 'content'],
    ['a field of another API', user({ tool_calls: [] }), 'invalid-input', 'tool_calls'],
    ['half a character', user({ content: 'cut \ud83d' }), 'invalid-input', 'toWellFormed'],
    ['half a character deep inside', user({ metadata: { a: ['\udc00'] } }), 'invalid-input', 'toWellFormed'],
    [
      'a huge message',
      user({ content: 'x'.repeat(limits.messageBytes) }),
      'too-large',
      'limits.messageBytes',
    ],
    [
      'a huge message of wide characters',
      user({ content: '漢'.repeat(limits.messageBytes / 3) }),
      'too-large',
      'bytes',
    ],
    [
      'too many parts',
      user({ content: Array(1001).fill({ type: 'text', text: 'x' }) }),
      'too-large',
      'parts',
    ],
    ['an unknown part', user({ content: [{ type: 'video' }] }), 'invalid-input', 'tool-call'],
    [
      'a part without its text',
      user({ content: [{ type: 'text' }] }),
      'invalid-input',
      'content[0].text is required',
    ],
    [
      'a tool call by the user',
      user({ content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'b', input: {} }] }),
      'invalid-input',
      'role assistant',
    ],
    [
      'a tool call without an id',
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: '', toolName: 'b', input: {} }] },
      'invalid-input',
      'toolCallId',
    ],
    ['a result as plain text', { role: 'tool', content: 'done' }, 'invalid-input', 'tool-result'],
    [
      'two calls with one id',
      {
        role: 'assistant',
        content: [1, 2].map(() => ({ type: 'tool-call', toolCallId: 'a', toolName: 'b', input: {} })),
      },
      'invalid-input',
      'different toolCallId',
    ],
    [
      'arguments that are no JSON',
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'b', input: { at: now } }],
      },
      'invalid-input',
      'Date',
    ],
    ['a number without end', user({ metadata: { n: Number.NaN } }), 'invalid-input', 'JSON'],
    ['a loop', user({ metadata: loop }), 'too-large', 'deeply'],
    ['deep metadata', user({ metadata: nested(33) }), 'too-large', '32 levels'],
    [
      'large metadata',
      user({ metadata: { a: 'x'.repeat(70_000) } }),
      'too-large',
      'store large values elsewhere',
    ],
    ['metadata that is a list', user({ metadata: [] }), 'invalid-input', 'metadata'],
    ['a long id', user({ id: 'x'.repeat(201) }), 'too-large', '200'],
    ['an empty id', user({ id: ' ' }), 'invalid-input', 'empty'],
    ['a line end in an id', user({ id: 'a\nb' }), 'invalid-input', 'control'],
    ['a NUL in a name', user({ name: 'a\u0000' }), 'invalid-input', 'control'],
    [
      'a clock far in the future',
      user({ createdAt: new Date(now.getTime() + limits.futureMs + 1) }),
      'invalid-input',
      'future',
    ],
    ['a time that is none', user({ createdAt: 'yesterday' }), 'invalid-input', 'createdAt'],
    ['an importance of 2', user({ importance: 2 }), 'invalid-input', 'importance must be at most 1, not 2'],
  ])('%s', (_, message, code, mentioned) => {
    const refusal = refusalOf(message)
    expect(refusal.code).toBe(code)
    expect(refusal.text).toContain(mentioned)
  })
})

test('what is accepted is complete, counted, and out of the caller’s hands', () => {
  const part = { type: 'text', text: 'one two', note: undefined }
  const accepted = accept({ role: 'user', content: [part], createdAt: '2026-04-30T08:00:00+02:00' })
  part.text = 'changed'
  expect(accepted).toEqual({
    id: expect.stringMatching(/^[0-9a-z]{26}$/),
    role: 'user',
    content: [{ type: 'text', text: 'one two' }],
    createdAt: new Date('2026-04-30T06:00:00Z'),
    recordedAt: now,
    tokens: 5,
    tokenizer: 'words',
  })
})

test('whatever comes, it is accepted or refused with a MemoryError', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }), (content) => {
      expect(['accepted', 'invalid-input', 'too-large']).toContain(refusalOf({ role: 'user', content }).code)
      expect(['accepted', 'invalid-input', 'too-large']).toContain(refusalOf(content).code)
    }),
    { numRuns: 2000 },
  )
})

test('any JSON in metadata comes through unchanged', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })), (metadata) => {
      const plain = JSON.parse(JSON.stringify(metadata))
      expect(accept(user({ metadata: plain })).metadata).toEqual(plain)
    }),
  )
})
