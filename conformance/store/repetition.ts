// Promises 4 and 5: writes are idempotent, and all or nothing.

import assert from 'node:assert/strict'
import { messageId, type Store } from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import {
  aKey,
  aMessage,
  append,
  at,
  findIds,
  HERE,
  many,
  needMessage,
  readAll,
  readWorkspace,
  rejectsWith,
  toIds,
  upTo,
} from './samples.ts'

const trip = aKey('trip')

/** Expects that an attempt is rejected and changes nothing. */
async function expectRefused(store: Store, attempt: () => Promise<unknown>): Promise<void> {
  const before = await readWorkspace(store)
  await rejectsWith('conflict', attempt())
  assert.deepEqual(await readWorkspace(store), before)
}

export const repetition: readonly ConformanceCase[] = [
  {
    name: 'the same message id again returns what was first written and writes nothing',
    async run(store) {
      const first = await append(store, trip, {
        messages: [aMessage('a', 'hello', { metadata: { try: 1 } })],
      })
      const before = await readWorkspace(store)
      const retry = aMessage('a', 'hello', { metadata: { try: 2 }, createdAt: at(50), tokens: 999 })
      const second = await append(store, trip, { messages: [retry] })
      assert.deepEqual(second, { ...first, added: 0 })
      assert.deepEqual(await readWorkspace(store), before)
    },
  },
  {
    name: 'a batch that is partly stored adds the rest',
    async run(store) {
      await append(store, trip, { messages: [aMessage('a'), aMessage('b')] })
      const { messages, added } = await append(store, trip, {
        messages: ['c', 'b', 'd', 'a'].map((id) => aMessage(id)),
      })
      assert.equal(added, 2)
      assert.deepEqual(
        messages.map(({ id, position }) => [id, position]),
        [
          ['c', 2],
          ['b', 1],
          ['d', 3],
          ['a', 0],
        ],
      )
      assert.deepEqual(toIds(await readAll(store, trip)), ['a', 'b', 'c', 'd'])
    },
  },
  {
    name: 'the same id with a different text is rejected and changes nothing',
    async run(store) {
      await append(store, trip, { messages: [aMessage('a', 'hello')] })
      const others = [
        aMessage('a', 'goodbye'),
        aMessage('a', [{ type: 'text', text: 'hello' }]),
        aMessage('a', 'hello', { role: 'assistant' }),
        aMessage('a', 'hello', { name: 'Ada' }),
      ]
      for (const other of others) await expectRefused(store, () => append(store, trip, { messages: [other] }))
      assert.deepEqual(await findIds(store, 'goodbye'), [])
    },
  },
  {
    name: 'the same id in another conversation is rejected and creates no conversation',
    async run(store) {
      await append(store, trip, { messages: [aMessage('a', 'hello')] })
      await expectRefused(store, () => append(store, aKey('other'), { messages: [aMessage('a', 'hello')] }))
      assert.equal(await store.findConversation(aKey('other')), undefined)
    },
  },
  {
    name: 'a repeated append key returns what was written first, even with new ids',
    async run(store) {
      const first = await append(store, trip, {
        messages: [aMessage('a', 'x'), aMessage('b', 'y')],
        appendKey: 'k',
      })
      await append(store, trip, { messages: [aMessage('c')] })
      const retry = { messages: [aMessage('new-a', 'x'), aMessage('new-b', 'y')], appendKey: 'k' }
      const second = await append(store, trip, retry)
      assert.deepEqual(second.messages, first.messages)
      assert.equal(second.added, 0)
      assert.deepEqual(toIds(await readAll(store, trip)), ['a', 'b', 'c'])
    },
  },
  {
    name: 'an append key applies to the whole append, even if its messages do not have it',
    async run(store) {
      const request = { ...trip, appendKey: 'k', now: at(2), suggestTitle: () => undefined }
      await store.append({ ...request, messages: [aMessage('a', 'x')] })
      const { messages, added } = await store.append({ ...request, messages: [aMessage('made-again', 'x')] })
      assert.deepEqual(toIds(messages), ['a'])
      assert.equal(added, 0)
    },
  },
  {
    name: 'an append key works for a batch that is partly stored',
    async run(store) {
      await append(store, trip, { messages: [aMessage('a')] })
      const batch = { messages: [aMessage('a'), aMessage('b')], appendKey: 'k' }
      const first = await append(store, trip, batch)
      const second = await append(store, trip, batch)
      assert.deepEqual(second, { ...first, added: 0 })
    },
  },
  {
    name: 'the same append key with different messages, or more or fewer of them, is rejected and changes nothing',
    async run(store) {
      await append(store, trip, { messages: [aMessage('a', 'x'), aMessage('b', 'y')], appendKey: 'k' })
      const others = [
        [aMessage('c', 'x'), aMessage('d', 'other')],
        [aMessage('c', 'y'), aMessage('d', 'x')],
        [aMessage('c', 'x')],
        [aMessage('c', 'x'), aMessage('d', 'y'), aMessage('e', 'z')],
      ]
      for (const messages of others) {
        await expectRefused(store, () => append(store, trip, { messages, appendKey: 'k' }))
      }
    },
  },
  {
    name: 'the same append key in another conversation is another append',
    async run(store) {
      await append(store, trip, { messages: [aMessage('a', 'x')], appendKey: 'k' })
      const { added } = await append(store, aKey('other'), { messages: [aMessage('b', 'y')], appendKey: 'k' })
      assert.equal(added, 1)
    },
  },
  {
    name: 'of concurrent identical appends, exactly one is written',
    async run(store) {
      const byId = upTo(20).map(() => append(store, trip, { messages: [aMessage('a', 'x')] }))
      const byKey = upTo(20).map((i) =>
        append(store, trip, { messages: [aMessage(`b${i}`, 'y')], appendKey: 'k' }),
      )
      const results = await Promise.all([...byId, ...byKey])
      assert.equal(
        results.reduce((sum, { added }) => sum + added, 0),
        2,
      )
      assert.equal((await readAll(store, trip)).length, 2)
    },
  },
  {
    name: 'repeating an append does not restore erased text',
    async run(store) {
      await append(store, trip, { messages: [aMessage('a', 'secret one')] })
      await append(store, trip, { messages: [aMessage('b', 'secret two')], appendKey: 'k' })
      for (const id of ['a', 'b']) await store.eraseMessage(HERE, messageId(id), at(9))
      const before = await readWorkspace(store)
      await append(store, trip, { messages: [aMessage('a', 'secret one')] })
      const { messages } = await append(store, trip, {
        messages: [aMessage('c', 'secret two')],
        appendKey: 'k',
      })
      assert.equal(messages[0]?.id, 'b')
      assert.deepEqual(await readWorkspace(store), before)
      assert.equal((await needMessage(store, 'a')).content, '')
      assert.deepEqual(await findIds(store, 'secret'), [])
    },
  },
  {
    name: 'a batch with one message in conflict writes nothing',
    async run(store) {
      await append(store, trip, { messages: [aMessage('a', 'hello')] })
      await expectRefused(store, () =>
        append(store, trip, {
          messages: [aMessage('b', 'fresh'), aMessage('a', 'other'), aMessage('c', 'fresh')],
        }),
      )
      assert.deepEqual(await findIds(store, 'fresh'), [])
      await append(store, trip, { messages: [aMessage('b', 'fresh')] })
      assert.deepEqual(await findIds(store, 'fresh'), ['b'])
    },
  },
  {
    name: 'a rejected append creates no conversation and no workspace',
    async run(store) {
      const messages = [aMessage('a', 'one'), aMessage('a', 'two')]
      await rejectsWith('conflict', append(store, trip, { messages }))
      assert.equal(await store.findConversation(trip), undefined)
      assert.deepEqual(await store.listWorkspaces(), [])
    },
  },
  {
    name: 'a rejected append does not affect concurrent ones',
    async run(store) {
      await append(store, trip, { messages: [aMessage('taken', 'x')] })
      const outcomes = await Promise.allSettled([
        append(store, trip, { messages: many('before', 2) }),
        append(store, trip, { messages: [...many('lost', 2), aMessage('taken', 'other')] }),
        append(store, trip, { messages: many('after', 2) }),
      ])
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled'],
      )
      const ids = toIds(await readAll(store, trip))
      assert.deepEqual([...ids].sort(), ['after0', 'after1', 'before0', 'before1', 'taken'])
    },
  },
  {
    name: 'if generating a title fails, nothing is written',
    async run(store) {
      const suggestTitle = () => {
        throw new TypeError('no title')
      }
      await assert.rejects(append(store, trip, { messages: [aMessage('a')], suggestTitle }), TypeError)
      assert.deepEqual(await readAll(store, trip), [])
      assert.equal(await store.findConversation(trip), undefined)
    },
  },
]
