// Recall, promises 1 to 5: finding messages by time.

import assert from 'node:assert/strict'
import { messageId, type Store } from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import { findTimeIds, findTimes, idsAt } from './recall-samples.ts'
import { aKey, aMessage, append, at, create, HERE, upTo } from './samples.ts'

const named = (...ids: readonly string[]) => ({ conversations: ids.map((id) => aKey(id).conversation) })

/** Messages by id with the minute of each. */
const sayAt = (store: Store, minutes: Readonly<Record<string, number>>, conversation = 'trip') =>
  append(store, aKey(conversation), {
    messages: Object.entries(minutes).map(([id, minute]) => aMessage(id, id, { createdAt: at(minute) })),
  })

export const recallingTimes: readonly ConformanceCase[] = [
  {
    name: 'messages are found by the time they were said at: from a moment on, until before another',
    async run(store) {
      await sayAt(store, { a: 0, b: 10, c: 20, d: 30 })
      assert.deepEqual(await findTimeIds(store, { from: at(10), to: at(30) }), ['c', 'b'])
      assert.deepEqual(await findTimeIds(store, { from: at(20) }), ['d', 'c'])
      assert.deepEqual(await findTimeIds(store, { to: at(10) }), ['a'])
      assert.deepEqual(await findTimeIds(store, {}), ['d', 'c', 'b', 'a'])
      assert.deepEqual(await findTimeIds(store, { from: at(31) }), [])
      assert.deepEqual(await findTimeIds(store, { from: at(20), to: at(10) }), [])
      assert.deepEqual(await findTimeIds(store, { from: at(11), to: at(19) }), [])
    },
  },
  {
    name: 'the time counts and not the order, and messages that came late with an earlier time are found',
    async run(store) {
      await create(store, aKey('trip'), { createdAt: at(50) })
      await sayAt(store, { a: 60, b: 20 })
      await sayAt(store, { c: -500 })
      assert.deepEqual(await findTimeIds(store, { from: at(0), to: at(30) }), ['b'])
      assert.deepEqual(await findTimeIds(store, { to: at(0) }), ['c'])
      assert.deepEqual(await findTimeIds(store, { to: at(55) }), ['c', 'b'])
      await sayAt(store, { d: 70, e: 25 })
      assert.deepEqual(await findTimeIds(store, { from: at(0), to: at(30) }), ['e', 'b'])
    },
  },
  {
    name: 'of a time range with more messages than the limit, the last are returned, with the count of all',
    async run(store) {
      await append(store, aKey('trip'), {
        messages: upTo(400).map((i) => aMessage(`m${i}`, 'word', { createdAt: at(i) })),
      })
      for (const scope of [{}, named('trip')]) {
        const { locators, count } = await findTimes(store, {
          ...scope,
          from: at(100),
          to: at(300),
          limit: 10,
        })
        assert.deepEqual(
          await idsAt(store, locators),
          upTo(10).map((i) => `m${299 - i}`),
        )
        assert.ok(count >= 100 && count <= 400, `there are 200, and the estimate is ${count}`)
      }
    },
  },
  {
    name: 'times are looked up in many conversations, in those that are named, and not where memory is off',
    async run(store) {
      for (const i of upTo(100)) await sayAt(store, { [`a${i}`]: i, [`b${i}`]: i + 1000 }, `c${i}`)
      const middle = await findTimeIds(store, { from: at(40), to: at(60) })
      assert.deepEqual(
        [...middle].sort(),
        upTo(20)
          .map((i) => `a${40 + i}`)
          .sort(),
      )
      assert.equal((await findTimes(store, { from: at(0), limit: 1000 })).count, 200)
      const { locators, count } = await findTimes(store, { from: at(0), limit: 10 })
      assert.equal(locators.length, 10)
      assert.ok(count > 60 && count < 600, `there are 200, and the estimate is ${count}`)
      await store.changeConversation(aKey('c50'), { isMemoryOn: false })
      assert.deepEqual(await findTimeIds(store, { from: at(50), to: at(51) }), [])
      assert.deepEqual(await findTimeIds(store, { ...named('c50', 'c51'), to: at(51) }), ['a50'])
      assert.deepEqual(await findTimeIds(store, { ...named('nowhere') }), [])
    },
  },
  {
    name: 'what was erased is not found by its time either, and what was compressed is',
    async run(store) {
      await sayAt(store, { a: 0, b: 10, c: 20 })
      await store.compress(aKey('trip'), [0, 1, 2])
      await store.eraseMessage(HERE, messageId('b'), at(99))
      assert.deepEqual(await findTimeIds(store, { from: at(0) }), ['c', 'a'])
      assert.deepEqual((await findTimes(store, { from: at(5), to: at(15) })).locators, [])
      await store.eraseConversations([aKey('trip')])
      assert.deepEqual(await findTimeIds(store, {}), [])
    },
  },
]
