// Promise 6: a workspace sees only its own data. Here both workspaces have a conversation "trip", with different
// texts.

import assert from 'node:assert/strict'
import { messageId, type Store } from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import {
  aKey,
  aMessage,
  append,
  aReceipt,
  aTerm,
  at,
  create,
  ELSEWHERE,
  findIds,
  fork,
  HERE,
  listIds,
  readAll,
  readWorkspace,
  rejectsWith,
  toIds,
} from './samples.ts'

const trip = aKey('trip')
const theirTrip = aKey('trip', ELSEWHERE)
const theirSecret = aKey('secret', ELSEWHERE)

/** Theirs: `trip` and `secret`, each with text, title, tag and receipt. Ours: `trip`. */
async function fill(store: Store): Promise<void> {
  await append(store, theirTrip, {
    messages: [aMessage('m', 'their words'), aMessage('theirs', 'hidden words')],
  })
  await append(store, theirSecret, { messages: [aMessage('s', 'hidden')] })
  await store.changeConversation(theirSecret, { title: 'Hidden title', tags: ['hidden'] })
  await store.saveReceipt(ELSEWHERE, aReceipt('r', theirTrip.conversation), 10)
  await append(store, trip, { messages: [aMessage('m', 'our words')] })
}

/** Expects that none of the attempts changes their data. */
async function expectUntouched(store: Store, attempts: () => Promise<void>): Promise<void> {
  await fill(store)
  const before = await readWorkspace(store, ELSEWHERE)
  await attempts()
  assert.deepEqual(await readWorkspace(store, ELSEWHERE), before)
}

export const workspaces: readonly ConformanceCase[] = [
  {
    name: 'the same ids in two workspaces are two messages in two conversations',
    async run(store) {
      await fill(store)
      assert.deepEqual(
        (await readAll(store, trip)).map(({ content }) => content),
        ['our words'],
      )
      assert.deepEqual(
        (await readAll(store, theirTrip)).map(({ content }) => content),
        ['their words', 'hidden words'],
      )
      assert.equal((await store.findMessage(HERE, messageId('m')))?.content, 'our words')
      assert.equal((await store.findMessage(ELSEWHERE, messageId('m')))?.content, 'their words')
      assert.deepEqual([...(await store.listWorkspaces())].sort(), [ELSEWHERE, HERE])
    },
  },
  {
    name: 'messages of another workspace cannot be read',
    async run(store) {
      await fill(store)
      assert.equal(await store.findMessage(HERE, messageId('theirs')), undefined)
      assert.deepEqual(await readAll(store, aKey('secret')), [])
      assert.deepEqual(await store.messageIds({ ...aKey('secret'), limit: 10 }), [])
      assert.deepEqual(toIds(await readAll(store, trip)), ['m'])
      const system = aMessage('rule', 'obey', { role: 'system' })
      await append(store, theirTrip, { messages: [system] })
      assert.deepEqual(await store.systemMessages(trip), [])
    },
  },
  {
    name: 'messages of another workspace are not found by their words',
    async run(store) {
      await fill(store)
      assert.deepEqual(await findIds(store, 'hidden'), [])
      assert.deepEqual(await findIds(store, [aTerm('hid', true)]), [])
      assert.deepEqual(await findIds(store, 'words'), ['m'])
      assert.deepEqual(await findIds(store, 'words', trip), ['m'])
      assert.deepEqual(await findIds(store, 'hidden', aKey('secret')), [])
    },
  },
  {
    name: 'conversations and receipts of another workspace are neither listed nor found',
    async run(store) {
      await fill(store)
      assert.deepEqual(await listIds(store, { archived: 'with' }), ['trip'])
      assert.deepEqual(await listIds(store, { terms: [aTerm('hidden')] }), [])
      assert.deepEqual(await listIds(store, { tag: 'hidden' }), [])
      assert.equal(await store.findConversation(aKey('secret')), undefined)
      assert.deepEqual(await store.receipts(trip, 10), [])
    },
  },
  {
    name: 'statistics count only one workspace',
    async run(store) {
      await fill(store)
      const { conversations, messages, receipts } = await store.statistics(HERE)
      assert.deepEqual({ conversations, messages, receipts }, { conversations: 1, messages: 1, receipts: 0 })
    },
  },
  {
    name: 'writing to a conversation does not affect one with the same id in another workspace',
    run: (store) =>
      expectUntouched(store, async () => {
        await append(store, trip, { messages: [aMessage('theirs', 'not a conflict')] })
        await append(store, aKey('secret'), { messages: [aMessage('s2', 'ours now')] })
        await store.changeConversation(aKey('secret'), { title: 'Ours', tags: ['ours'] })
        await create(store, aKey('third'), { title: 'Third' })
        await store.saveReceipt(HERE, aReceipt('r2', trip.conversation), 1)
      }),
  },
  {
    name: 'an append key can be reused in another workspace',
    async run(store) {
      await append(store, theirTrip, { messages: [aMessage('a', 'theirs')], appendKey: 'k' })
      const { added } = await append(store, trip, { messages: [aMessage('a', 'ours')], appendKey: 'k' })
      assert.equal(added, 1)
    },
  },
  {
    name: 'conversations of another workspace cannot be changed, forked or given receipts',
    run: (store) =>
      expectUntouched(store, async () => {
        await rejectsWith('not-found', store.changeConversation(aKey('secret'), { title: 'Mine' }))
        await rejectsWith('not-found', fork(store, aKey('secret'), { at: 0, into: 'mine' }))
        await rejectsWith('not-found', fork(store, trip, { at: 1, into: 'mine' }))
        await rejectsWith('not-found', store.saveReceipt(HERE, aReceipt('r2', theirSecret.conversation), 1))
      }),
  },
  {
    name: 'nothing of another workspace can be erased',
    run: (store) =>
      expectUntouched(store, async () => {
        await rejectsWith('not-found', store.eraseMessage(HERE, messageId('theirs'), at(9)))
        await rejectsWith('not-found', store.eraseConversations([aKey('secret')]))
        await store.eraseMessage(HERE, messageId('m'), at(9))
        await store.eraseConversations([trip])
        await store.eraseWorkspace(HERE)
      }),
  },
  {
    name: 'copies of the same message in forks of another workspace are not affected',
    async run(store) {
      await append(store, theirTrip, { messages: [aMessage('m', 'same')] })
      await fork(store, theirTrip, { at: 0, into: 'branch' })
      await append(store, trip, { messages: [aMessage('m', 'same')] })
      const before = await readWorkspace(store, ELSEWHERE)
      assert.equal((await store.eraseMessage(HERE, messageId('m'), at(9))).messages, 1)
      assert.deepEqual((await store.eraseConversations([trip])).copiesIn, [])
      assert.deepEqual(await readWorkspace(store, ELSEWHERE), before)
    },
  },
]
