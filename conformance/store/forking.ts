import assert from 'node:assert/strict'
import { messageId } from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import {
  aKey,
  aMessage,
  append,
  at,
  create,
  findIds,
  fork,
  HERE,
  listIds,
  many,
  needConversation,
  needMessage,
  readAll,
  readWorkspace,
  rejectsWith,
  toIds,
} from './samples.ts'

const trip = aKey('trip')
const branch = aKey('branch')

export const forking: readonly ConformanceCase[] = [
  {
    name: 'a fork contains everything up to and including its last message',
    async run(store) {
      const rich = aMessage('rich', [{ type: 'text', text: 'rich \u0000' }], {
        role: 'assistant',
        name: 'Ada',
        importance: 0.7,
        metadata: { a: [1] },
        createdAt: at(-9),
      })
      await append(store, trip, {
        messages: [aMessage('a'), rich, aMessage('c'), aMessage('d')],
        appendKey: 'k',
      })
      await fork(store, trip, { at: 2, into: 'branch' })
      const originals = (await readAll(store, trip)).slice(0, 3)
      const expected = originals.map(({ appendKey: _, ...original }, i) => ({
        ...original,
        id: `branch-${i}`,
        conversationId: 'branch',
        copyOf: original.id,
      }))
      assert.deepEqual(await readAll(store, branch), expected)
      assert.deepEqual(await findIds(store, 'rich'), ['branch-1', 'rich'])
    },
  },
  {
    name: 'a fork has the given fields, refers to its origin, and counts its own messages',
    async run(store) {
      await create(store, trip, { title: 'Theirs', tags: ['x'], isPinned: true })
      await append(store, trip, { messages: many('m', 4) })
      const fields = { title: 'Ours', isTitleGiven: true, tags: ['y'], metadata: { a: 1 } }
      const made = await fork(store, trip, { at: 1, into: 'branch', fields })
      const { tokensBefore } = await needMessage(store, 'm2')
      assert.deepEqual(made, {
        ...made,
        ...fields,
        id: 'branch',
        isPinned: false,
        forkedFrom: { conversationId: 'trip', messageId: 'm1', position: 1 },
        messageCount: 2,
        tokenCount: tokensBefore,
        createdAt: at(5),
      })
      assert.deepEqual(await store.findConversation(branch), made)
    },
  },
  {
    name: 'a fork and its origin are independent afterwards',
    async run(store) {
      await append(store, trip, { messages: many('m', 3) })
      await fork(store, trip, { at: 1, into: 'branch' })
      await append(store, branch, { messages: [aMessage('ours')] })
      await append(store, trip, { messages: [aMessage('theirs')] })
      await store.changeConversation(branch, { title: 'Ours' })
      assert.deepEqual(toIds(await readAll(store, branch)), ['branch-0', 'branch-1', 'ours'])
      assert.deepEqual(toIds(await readAll(store, trip)), ['m0', 'm1', 'm2', 'theirs'])
      assert.ok(!('title' in (await needConversation(store, trip))))
      await store.eraseConversations([trip])
      assert.equal((await readAll(store, branch)).length, 3)
    },
  },
  {
    name: 'a fork of a fork copies the first original',
    async run(store) {
      await append(store, trip, { messages: many('m', 3) })
      await fork(store, trip, { at: 2, into: 'branch' })
      await append(store, branch, { messages: [aMessage('ours')] })
      await fork(store, branch, { at: 3, into: 'twig' })
      assert.deepEqual(
        (await readAll(store, aKey('twig'))).map(({ copyOf }) => copyOf),
        ['m0', 'm1', 'm2', 'ours'],
      )
      assert.equal((await needConversation(store, aKey('twig'))).forkedFrom?.conversationId, 'branch')
    },
  },
  {
    name: 'an erased message is also erased in a later fork',
    async run(store) {
      await append(store, trip, { messages: [aMessage('a', 'secret'), aMessage('b')] })
      await store.eraseMessage(HERE, messageId('a'), at(4))
      await fork(store, trip, { at: 1, into: 'branch' })
      const copy = await needMessage(store, 'branch-0')
      assert.deepEqual([copy.content, copy.erasedAt, copy.tokens], ['', at(4), 0])
      assert.deepEqual(await findIds(store, 'secret'), [])
    },
  },
  {
    name: 'a long conversation is forked completely',
    async run(store) {
      await append(store, trip, { messages: many('m', 1203) })
      const made = await fork(store, trip, { at: 1201, into: 'branch' })
      assert.equal(made.messageCount, 1202)
      const copies = (await readAll(store, branch)).map(({ copyOf }) => copyOf)
      assert.deepEqual(copies, toIds(many('m', 1202)))
    },
  },
  {
    name: 'forking into an existing conversation is rejected and changes nothing',
    async run(store) {
      await append(store, trip, { messages: many('m', 3) })
      await create(store, branch, { title: 'There first' })
      const before = await readWorkspace(store)
      await rejectsWith('conflict', fork(store, trip, { at: 1, into: 'branch' }))
      await rejectsWith('conflict', fork(store, trip, { at: 1, into: 'trip' }))
      assert.deepEqual(await readWorkspace(store), before)
    },
  },
  {
    name: 'forking at a missing message, or a missing conversation, fails and creates nothing',
    async run(store) {
      await append(store, trip, { messages: many('m', 3) })
      for (const position of [3, 99, -1]) {
        await rejectsWith('not-found', fork(store, trip, { at: position, into: 'branch' }))
      }
      await rejectsWith('not-found', fork(store, aKey('nowhere'), { at: 0, into: 'branch' }))
      assert.deepEqual(await listIds(store), ['trip'])
    },
  },
  {
    name: 'a fork that cannot name its messages leaves nothing behind',
    async run(store) {
      await append(store, trip, { messages: many('m', 3) })
      const before = await readWorkspace(store)
      const taken = () => messageId('m2')
      const request = { ...trip, at: 2, into: branch.conversation, fields: {}, now: at(5), newId: taken }
      await rejectsWith('conflict', store.fork(request))
      assert.deepEqual(await readWorkspace(store), before)
    },
  },
]
