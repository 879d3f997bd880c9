// Promise 3: messages are in order. Also the ways to read a conversation.

import assert from 'node:assert/strict'
import { messageId, type Store } from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import {
  aKey,
  aMessage,
  append,
  at,
  HERE,
  many,
  needConversation,
  readAll,
  toIds,
  toPositions,
  upTo,
} from './samples.ts'

const trip = aKey('trip')

/** Checks that every message and every position occurs once, and every running sum is right. */
async function expectWhole(store: Store, conversation: string, count: number): Promise<void> {
  const key = aKey(conversation)
  const messages = await readAll(store, key)
  assert.deepEqual(toPositions(messages), upTo(count))
  assert.equal(new Set(toIds(messages)).size, count)
  let tokens = 0
  for (const message of messages) {
    assert.equal(message.tokensBefore, tokens, `the running sum at position ${message.position}`)
    tokens += message.tokens
  }
  const { messageCount, tokenCount } = await needConversation(store, key)
  assert.deepEqual({ messageCount, tokenCount }, { messageCount: count, tokenCount: tokens })
}

export const ordering: readonly ConformanceCase[] = [
  {
    name: 'positions follow the order given, whatever the clocks say',
    async run(store) {
      await append(store, trip, {
        messages: [9, 3, 7].map((minutes) => aMessage(`at${minutes}`, 'x', { createdAt: at(minutes) })),
      })
      await append(store, trip, { messages: [aMessage('early', 'x', { createdAt: at(-60) })] })
      assert.deepEqual(toIds(await readAll(store, trip)), ['at9', 'at3', 'at7', 'early'])
      assert.deepEqual(toPositions(await readAll(store, trip)), upTo(4))
    },
  },
  {
    name: 'running token totals add up to the count of the conversation',
    async run(store) {
      await append(store, trip, { messages: many('a', 5) })
      await append(store, trip, { messages: [aMessage('free', '', { tokens: 0 }), ...many('b', 3)] })
      await expectWhole(store, 'trip', 9)
    },
  },
  {
    name: 'many appends at once to one conversation leave no gap and no double',
    async run(store) {
      const results = await Promise.all(
        upTo(60).map((i) => append(store, trip, { messages: many(`${i}-`, 1 + (i % 3)) })),
      )
      await expectWhole(store, 'trip', 120)
      for (const { messages } of results) {
        const first = messages[0]?.position ?? -1
        assert.deepEqual(
          toPositions(messages),
          upTo(messages.length).map((i) => first + i),
          'a batch stays together',
        )
      }
    },
  },
  {
    name: 'concurrent appends to several conversations each keep their order',
    async run(store) {
      const names = ['red', 'green', 'blue']
      await Promise.all(
        upTo(60).map((i) => append(store, aKey(names[i % 3] as string), { messages: many(`${i}-`, 2) })),
      )
      for (const name of names) await expectWhole(store, name, 40)
    },
  },
  {
    name: 'a batch of a thousand messages is written whole and in order',
    async run(store) {
      const batch = many('m', 1000)
      const { added, conversation } = await append(store, trip, { messages: batch })
      assert.equal(added, 1000)
      assert.equal(conversation.messageCount, 1000)
      await expectWhole(store, 'trip', 1000)
      assert.deepEqual(toIds(await readAll(store, trip)), toIds(batch))
    },
  },
  {
    name: 'a range of a conversation excludes both ends',
    async run(store) {
      await append(store, trip, { messages: many('m', 10) })
      const read = async (range: object) =>
        toPositions(await store.messages({ ...trip, limit: 100, ...range }))
      assert.deepEqual(await read({ after: 3, before: 7 }), [4, 5, 6])
      assert.deepEqual(await read({ after: 7 }), [8, 9])
      assert.deepEqual(await read({ before: 2 }), [0, 1])
      assert.deepEqual(await read({ after: -1 }), upTo(10))
      assert.deepEqual(await read({ after: 3, before: 4 }), [])
      assert.deepEqual(await read({ after: 9 }), [])
      assert.deepEqual(await read({ before: 0 }), [])
    },
  },
  {
    name: 'reading from the end returns the last messages, still in order',
    async run(store) {
      await append(store, trip, { messages: many('m', 10) })
      const read = async (range: { limit: number; after?: number; before?: number }) =>
        toPositions(await store.messages({ ...trip, direction: 'backwards', ...range }))
      assert.deepEqual(await read({ limit: 3 }), [7, 8, 9])
      assert.deepEqual(await read({ limit: 3, before: 7 }), [4, 5, 6])
      assert.deepEqual(await read({ limit: 3, after: 7 }), [8, 9])
      assert.deepEqual(await read({ limit: 100, after: 1, before: 4 }), [2, 3])
    },
  },
  {
    name: 'a limit ends the page, and the next page continues from there',
    async run(store) {
      await append(store, trip, { messages: many('m', 10) })
      const first = toPositions(await store.messages({ ...trip, limit: 4 }))
      const second = toPositions(await store.messages({ ...trip, limit: 4, after: 3, direction: 'forwards' }))
      assert.deepEqual([...first, ...second], upTo(8))
    },
  },
  {
    name: 'listing only ids returns those of the same range',
    async run(store) {
      await append(store, trip, { messages: many('m', 10) })
      for (const range of [{}, { after: 2, before: 8 }, { direction: 'backwards' as const, limit: 3 }]) {
        const stretch = { ...trip, limit: 100, ...range }
        assert.deepEqual(await store.messageIds(stretch), toIds(await store.messages(stretch)))
      }
    },
  },
  {
    name: 'system messages are found at any position, in order',
    async run(store) {
      const system = (id: string) => aMessage(id, `be ${id}`, { role: 'system' })
      await append(store, trip, {
        messages: [system('kind'), ...many('m', 3), system('brief'), ...many('n', 2)],
      })
      await append(store, aKey('other'), { messages: [system('loud')] })
      await append(store, trip, { messages: [system('wrong')] })
      await store.eraseMessage(HERE, messageId('wrong'), at(9))
      const found = await store.systemMessages(trip)
      assert.deepEqual(
        found.map(({ id, position }) => [id, position]),
        [
          ['kind', 0],
          ['brief', 4],
        ],
      )
    },
  },
  {
    name: 'a missing conversation has no messages, and reading does not create it',
    async run(store) {
      assert.deepEqual(await readAll(store, trip), [])
      assert.deepEqual(await store.messageIds({ ...trip, limit: 10 }), [])
      assert.deepEqual(await store.systemMessages(trip), [])
      assert.deepEqual(await store.receipts(trip, 10), [])
      assert.equal(await store.findMessage(HERE, messageId('m')), undefined)
      assert.equal(await store.findConversation(trip), undefined)
      assert.deepEqual(await store.listWorkspaces(), [])
    },
  },
]
