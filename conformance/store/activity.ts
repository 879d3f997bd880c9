import assert from 'node:assert/strict'
import type { ActivitySums, StoredReceipt } from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import { aKey, aMessage, append, aReceipt, at, ELSEWHERE, HERE, needMessage } from './samples.ts'

const trip = aKey('trip')
const DAY_MINUTES = 24 * 60
/** Midnight of the day of `at(0)`. */
const from = at(-12 * 60)
const NOTHING: ActivitySums = { messages: 0, tokens: 0, contexts: 0, contextTokens: 0, historyTokens: 0 }

const saidAt = (id: string, minutes: number, tokens: number) =>
  aMessage(id, id, { createdAt: at(minutes), tokens })

const madeAt = (id: string, minutes: number, more: Partial<StoredReceipt> = {}): StoredReceipt => ({
  ...aReceipt(id, trip.conversation),
  createdAt: at(minutes),
  ...more,
})

export const activity: readonly ConformanceCase[] = [
  {
    name: 'messages and tokens are summed by day across conversations',
    async run(store) {
      await append(store, trip, { messages: [saidAt('a', 0, 5), saidAt('b', 11 * 60 + 59, 7)] })
      await append(store, trip, { messages: [saidAt('c', 2 * DAY_MINUTES, 11)] })
      await append(store, aKey('other'), { messages: [saidAt('d', 12 * 60, 13)] })
      const { days } = await store.activity({ workspace: HERE, from, days: 4 })
      assert.deepEqual(
        days.map(({ messages, tokens }) => [messages, tokens]),
        [
          [2, 12],
          [1, 13],
          [1, 11],
          [0, 0],
        ],
      )
    },
  },
  {
    name: 'activity covers exactly the requested days',
    async run(store) {
      const edges = [-1, 0, DAY_MINUTES - 1, DAY_MINUTES].map((minutes, i) =>
        saidAt(`m${i}`, minutes - 12 * 60, 10 ** i),
      )
      await append(store, trip, { messages: edges })
      for (const [i, { createdAt }] of edges.entries())
        await store.saveReceipt(HERE, madeAt(`r${i}`, 0, { createdAt, tokens: 10 ** i }), 10)
      const { days } = await store.activity({ workspace: HERE, from, days: 1 })
      assert.equal(days.length, 1)
      const [day = NOTHING] = days
      assert.deepEqual([day.messages, day.tokens, day.contexts, day.contextTokens], [2, 110, 2, 110])
    },
  },
  {
    name: 'contexts are summed by day and section, with the size of the whole history',
    async run(store) {
      const messages = ['a', 'b', 'c', 'd', 'e'].map((id) => saidAt(id, 0, 200))
      await append(store, trip, { messages })
      await store.saveReceipt(HERE, madeAt('r1', 3), 10)
      await store.saveReceipt(HERE, madeAt('r2', DAY_MINUTES, { messageCount: 1 }), 10)
      await store.saveReceipt(HERE, madeAt('r3', DAY_MINUTES, { messageCount: 0, tokens: 30, parts: [] }), 10)
      const { days, sections } = await store.activity({ workspace: HERE, from, days: 2 })
      const contexts = days.map((day) => [day.contexts, day.contextTokens, day.historyTokens])
      assert.deepEqual(contexts, [
        [1, 321, 800],
        // Contexts for histories of 200 tokens and of none: each context has more tokens than the conversation.
        [2, 351, 351],
      ])
      assert.deepEqual(sections, { system: 42, tail: 600 })
    },
  },
  {
    name: 'erased messages do not count as activity, and compressed ones do',
    async run(store) {
      await append(store, trip, { messages: [saidAt('a', 0, 5), saidAt('b', 0, 7), saidAt('c', 0, 11)] })
      await store.compress(trip, [0])
      await store.eraseMessage(HERE, (await needMessage(store, 'b')).id, at(5))
      const { days } = await store.activity({ workspace: HERE, from, days: 1 })
      assert.deepEqual(days, [{ ...NOTHING, messages: 2, tokens: 16 }])
    },
  },
  {
    name: 'activity of another or a missing workspace is not included',
    async run(store) {
      const theirs = aKey('trip', ELSEWHERE)
      await append(store, theirs, { messages: [saidAt('a', 0, 5)] })
      await store.saveReceipt(ELSEWHERE, madeAt('r', 0), 10)
      const { days, sections } = await store.activity({ workspace: HERE, from, days: 2 })
      assert.deepEqual(days, [NOTHING, NOTHING])
      assert.deepEqual(sections, {})
    },
  },
]
