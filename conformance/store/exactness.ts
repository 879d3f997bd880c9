// Promises 1 and 2: data is durable before a call resolves, and stored exactly.

import assert from 'node:assert/strict'
import { type JsonObject, type JsonValue, messageId, type Part } from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import { aKey, aMessage, append, at, findIds, HERE, needMessage, readAll } from './samples.ts'

const trip = aKey('trip')

const TEXTS: readonly string[] = [
  '',
  ' leading and trailing \t\r\n',
  'a NUL \u0000 in the middle\u0000',
  'every control character: \u0001\u0008\u001b\u007f\u0085\u2028\u2029',
  'emoji 😀 👩‍👩‍👧‍👦 🏳️‍🌈 and flags 🇵🇹',
  'right to left: שלום עולם, مرحبا بالعالم \u202eoverride\u202c',
  'combining: e\u0301 is not \u00e9; ﬁ is not fi; Å is not Å',
  '中文，日本語、한국어 และภาษาไทย',
  `quotes ' " \` and \\ backslashes \\u0000 ; -- DROP TABLE message; %s $1 ?1 :name`,
  '<script>alert(1)</script> ]]> {{template}}',
  'noncharacters \ufffe \uffff \u{10ffff}, a byte order mark \ufeff and \ufffd',
  `long ${'0123456789'.repeat(30_000)}😀`,
]

const PARTS: readonly Part[] = [
  { type: 'text', text: 'plain \u0000 text' },
  { type: 'text', text: '' },
  { type: 'reasoning', text: 'let me think …' },
  { type: 'image', url: 'https://example.com/a.png' },
  { type: 'image', url: 'data:,', mediaType: 'image/png', detail: 'low', width: 3, height: 4, tokens: 85 },
  { type: 'file', url: 'file:///tmp/a%20b.pdf', name: 'résumé.pdf', mediaType: 'application/pdf', tokens: 0 },
  { type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: { city: 'Lisboa', days: [1, 2, 3] } },
  { type: 'tool-call', toolCallId: 'c2', toolName: 'raw', input: '{"broken": ' },
  {
    type: 'tool-result',
    toolCallId: 'c1',
    toolName: 'weather',
    output: { degrees: 21.5, rain: null },
    isError: false,
  },
  { type: 'tool-result', toolCallId: 'c2', output: 'failed', isError: true },
]

const JSON_VALUES: JsonObject = {
  nothing: null,
  yes: true,
  no: false,
  numbers: [0, -1, 0.1, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, Number.MAX_SAFE_INTEGER],
  '': 'an empty key',
  'key with "quotes" and \u0000': 'NUL',
  empty: [{}, [], ''],
  z: 1,
  a: 2,
  10: 'ten',
  9: 'nine',
}

/** JSON.parse, because in an object literal this key would set the prototype. */
const WITH_PROTOTYPE_KEY: JsonObject = JSON.parse('{"__proto__": {"a": 1}, "constructor": "b"}')

function nest(depth: number): JsonValue {
  let value: JsonValue = 'the bottom'
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { in: value }
  return value
}

export const exactness: readonly ConformanceCase[] = [
  {
    name: 'what was acknowledged can be read at once',
    async run(store) {
      const sent = aMessage('a', 'hello')
      const { messages, added, conversation } = await append(store, trip, { messages: [sent] })
      const expected = { ...sent, conversationId: trip.conversation, position: 0, tokensBefore: 0 }
      assert.deepEqual(messages, [expected])
      assert.deepEqual(await readAll(store, trip), [expected])
      assert.deepEqual(await store.findMessage(HERE, sent.id), expected)
      assert.deepEqual(await store.findConversation(trip), conversation)
      assert.equal(added, 1)
    },
  },
  {
    name: 'an append returns the same messages that are read later',
    async run(store) {
      const batch = [
        aMessage('a', 'hi', { name: 'Ada' }),
        aMessage('b', PARTS, { role: 'assistant', metadata: { a: 1 } }),
      ]
      const { messages } = await append(store, trip, { messages: batch, appendKey: 'k' })
      assert.deepEqual(await readAll(store, trip), messages)
    },
  },
  {
    name: 'text comes back to the last character',
    async run(store) {
      const batch = TEXTS.map((text, i) => aMessage(`m${i}`, text))
      await append(store, trip, { messages: batch })
      for (const [i, message] of (await readAll(store, trip)).entries())
        assert.equal(message.content, TEXTS[i])
    },
  },
  {
    name: 'every kind of part is returned unchanged',
    async run(store) {
      await append(store, trip, { messages: [aMessage('all', PARTS), aMessage('none', [])] })
      assert.deepEqual((await needMessage(store, 'all')).content, PARTS)
      assert.deepEqual((await needMessage(store, 'none')).content, [])
    },
  },
  {
    name: 'JSON of any depth is returned unchanged',
    async run(store) {
      const values: readonly JsonValue[] = [
        JSON_VALUES,
        WITH_PROTOTYPE_KEY,
        nest(100),
        'text',
        7,
        false,
        null,
      ]
      const parts = values.map(
        (value, i): Part => ({ type: 'tool-result', toolCallId: `c${i}`, output: value }),
      )
      await append(store, trip, { messages: [aMessage('a', parts, { role: 'tool', metadata: JSON_VALUES })] })
      const { content, metadata } = await needMessage(store, 'a')
      assert.deepEqual(content, parts)
      assert.equal(JSON.stringify(content), JSON.stringify(parts), 'keys keep their order')
      assert.deepEqual(metadata, JSON_VALUES)
    },
  },
  {
    name: 'speaker, importance, metadata and times come back as they went in',
    async run(store) {
      const batch = [0, 1, 0.1, 1 / 3].map((importance, i) =>
        aMessage(`m${i}`, 'words', {
          name: 'Zoë "Z" O’Neil 😀',
          importance,
          metadata: { importance },
          createdAt: new Date(i * 1_234_567_891),
          recordedAt: new Date(1_777_000_000_123 + i),
        }),
      )
      await append(store, trip, { messages: batch })
      for (const [i, message] of (await readAll(store, trip)).entries()) {
        const { conversationId: _, position: __, tokensBefore: ___, ...rest } = message
        assert.deepEqual(rest, batch[i])
      }
    },
  },
  {
    name: 'each role is returned unchanged, and missing fields stay missing',
    async run(store) {
      const roles = ['system', 'user', 'assistant', 'tool'] as const
      await append(store, trip, { messages: roles.map((role) => aMessage(role, 'x', { role })) })
      for (const message of await readAll(store, trip)) {
        assert.equal(message.role, message.id)
        for (const field of ['name', 'importance', 'metadata', 'appendKey', 'copyOf', 'erasedAt']) {
          assert.ok(!(field in message), `${field} was made up`)
        }
      }
    },
  },
  {
    name: 'an imported message that was erased stays erased, with its origin and key',
    async run(store) {
      const copy = aMessage('copy', 'still here', { copyOf: messageId('first'), appendKey: 'k' })
      const erased = aMessage('blank', '', { copyOf: messageId('second'), erasedAt: at(4), tokens: 0 })
      await append(store, trip, { messages: [copy, erased] })
      assert.equal((await needMessage(store, 'copy')).copyOf, 'first')
      assert.equal((await needMessage(store, 'copy')).appendKey, 'k')
      assert.deepEqual((await needMessage(store, 'blank')).erasedAt, at(4))
      assert.equal((await store.statistics(HERE)).erasedMessages, 1)
      assert.deepEqual(await findIds(store, 'still'), ['copy'])
    },
  },
]
