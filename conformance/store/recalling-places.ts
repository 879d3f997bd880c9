// Reading at locators: metadata, whole messages, locators of ids, the size of a scope.

import assert from 'node:assert/strict'
import { type MessageLocator, messageId, READER } from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import { mustCommit } from './derived-samples.ts'
import { idsAt, placeOfId, say } from './recall-samples.ts'
import { aKey, aMessage, append, at, create, HERE, many, needMessage, readAll, upTo } from './samples.ts'

const trip = aKey('trip')
const named = (...ids: readonly string[]) => ({ conversations: ids.map((id) => aKey(id).conversation) })

export const recallingPlaces: readonly ConformanceCase[] = [
  {
    name: 'a head has all of a message but its words',
    async run(store) {
      const { messages } = await append(store, trip, {
        messages: [
          aMessage('plain', 'hello'),
          aMessage('full', [{ type: 'text', text: 'hello' }], {
            role: 'assistant',
            name: 'Ana "\\ é 😀',
            importance: 0.1 + 0.2,
            createdAt: at(-1_000_000),
          }),
          aMessage('least', 'hello', { importance: 0, tokens: 0 }),
          aMessage('small', 'hello', { importance: 1e-9 / 3, createdAt: new Date(-1) }),
        ],
      })
      const places = await store.locate(
        HERE,
        messages.map(({ id }) => id),
      )
      assert.deepEqual(
        await store.getMessageMeta(HERE, places),
        messages.map(({ id, conversationId, role, name, createdAt, tokens, importance }, i) => ({
          locator: places[i],
          id,
          conversationId,
          role,
          ...(name !== undefined && { name }),
          createdAt,
          tokens,
          ...(importance !== undefined && { importance }),
        })),
      )
    },
  },
  {
    name: 'heads tell the topic that readers see',
    async run(store) {
      await append(store, trip, { messages: many('m', 4) })
      const topics = async () => {
        const places = await store.locate(
          HERE,
          upTo(4).map((i) => messageId(`m${i}`)),
        )
        return (await store.getMessageMeta(HERE, places)).map(({ topic }) => topic)
      }
      const reading = { ...trip, deriver: READER }
      await mustCommit(store, { ...trip, deriver: 'another' }, { readings: [{ position: 0, topic: 3 }] })
      assert.deepEqual(await topics(), [undefined, undefined, undefined, undefined])
      const readings = [0, 0, 2].map((topic, position) => ({ position, topic }))
      await mustCommit(store, reading, { cursor: 3, readings })
      assert.deepEqual(await topics(), [0, 0, 2, undefined])
      const unseen = upTo(4).map((position) => ({ position, topic: 1 }))
      await mustCommit(store, reading, { generation: 2, isActive: false, cursor: 4, readings: unseen })
      assert.deepEqual(await topics(), [0, 0, 2, undefined])
      await mustCommit(store, reading, { revision: 1, cursor: 3, merges: [{ from: 2, into: 0 }] })
      assert.deepEqual(await topics(), [0, 0, 0, undefined])
      await mustCommit(store, reading, { generation: 2, revision: 1, cursor: 4 })
      assert.deepEqual(await topics(), [1, 1, 1, 1])
    },
  },
  {
    name: 'whole messages are returned by their locators, compressed ones too',
    requires: ['canCompress'],
    async run(store) {
      const messages = upTo(12).map((i) =>
        aMessage(`m${i}`, `the words of ${i} `.repeat(30), { metadata: { i }, name: `n${i}` }),
      )
      await append(store, trip, { messages })
      assert.ok((await store.compress(trip, upTo(9))).messages > 0)
      const all = await readAll(store, trip)
      const places = await store.locate(
        HERE,
        all.map(({ id }) => id),
      )
      const backwards = upTo(12).map((i) => 11 - i)
      assert.deepEqual(
        await store.getContents(
          HERE,
          backwards.map((i) => places[i] as MessageLocator),
        ),
        backwards.map((i) => ({ locator: places[i], content: all[i]?.content, metadata: all[i]?.metadata })),
      )
    },
  },
  {
    name: 'messages are returned in the order of the locators, without erased and missing ones',
    async run(store) {
      await say(store, { a: 'one', b: 'two', c: 'three' })
      await say(store, { d: 'four' }, aKey('other'))
      const [a, b, c, d] = await store.locate(HERE, ['a', 'b', 'c', 'd'].map(messageId))
      assert.ok(a !== undefined && b !== undefined && c !== undefined && d !== undefined)
      const nowhere = [c + 1, -1, 0, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY]
      const mixed = [c, ...(nowhere as MessageLocator[]), a, d, b]
      assert.deepEqual(await idsAt(store, mixed), ['c', 'a', 'd', 'b'])
      await store.eraseMessage(HERE, messageId('a'), at(9))
      assert.deepEqual(await idsAt(store, mixed), ['c', 'd', 'b'])
      const messages = await store.getContents(HERE, mixed)
      assert.deepEqual(
        messages.map(({ locator, content }) => [locator, content]),
        [
          [c, 'three'],
          [d, 'four'],
          [b, 'two'],
        ],
      )
      assert.deepEqual(await store.getMessageMeta(HERE, []), [])
      assert.deepEqual(await store.getContents(HERE, []), [])
    },
  },
  {
    name: 'locators of messages are found by their ids, except unknown and erased ones',
    async run(store) {
      await say(store, { a: 'one', b: 'two', "it's": 'three', '😀"': 'four' })
      const ids = ["it's", 'unknown', '😀"', 'b', 'a'].map(messageId)
      const places = await store.locate(HERE, ids)
      assert.deepEqual(await idsAt(store, places), ["it's", '😀"', 'b', 'a'])
      const { position } = await needMessage(store, 'b')
      assert.equal(Number(await placeOfId(store, 'b')) - position, await placeOfId(store, 'a'))
      await store.eraseMessage(HERE, messageId('b'), at(9))
      assert.equal(await placeOfId(store, 'b'), undefined)
      assert.deepEqual(await store.locate(HERE, []), [])
    },
  },
  {
    name: 'a scope has the size of its conversations: of those that are named, or of all with memory on',
    async run(store) {
      assert.deepEqual(await store.scopeSize({ workspace: HERE }), {
        conversations: 0,
        messages: 0,
        tokens: 0,
      })
      const tokens = { tokens: 7 }
      await append(store, trip, { messages: [aMessage('a', 'x', tokens), aMessage('b', 'x', tokens)] })
      await append(store, aKey('off'), { messages: [aMessage('c', 'x', tokens)] })
      await store.changeConversation(aKey('off'), { isMemoryOn: false })
      await create(store, aKey('empty'))
      const size = (...ids: readonly string[]) => store.scopeSize({ workspace: HERE, ...named(...ids) })
      assert.deepEqual(await store.scopeSize({ workspace: HERE }), {
        conversations: 2,
        messages: 2,
        tokens: 14,
      })
      assert.deepEqual(await size('trip'), { conversations: 1, messages: 2, tokens: 14 })
      assert.deepEqual(await size('off', 'trip', 'trip', 'x'), { conversations: 2, messages: 3, tokens: 21 })
      assert.deepEqual(await size(), { conversations: 0, messages: 0, tokens: 0 })
      await store.eraseMessage(HERE, messageId('a'), at(9))
      assert.deepEqual(await size('trip'), { conversations: 1, messages: 2, tokens: 7 })
    },
  },
]
