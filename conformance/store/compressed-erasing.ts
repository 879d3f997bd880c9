// An erased message is gone, whether compressed or not, and the messages next to it remain.

import assert from 'node:assert/strict'
import { messageId, type Store } from 'recollect/store'
import { aTalk, openCompressed, trip } from './compressed-samples.ts'
import type { ConformanceCase } from './conformance-case.ts'
import {
  aKey,
  append,
  at,
  ELSEWHERE,
  findIds,
  findProblems,
  fork,
  HERE,
  needConversation,
  needMessage,
  readAll,
  upTo,
} from './samples.ts'

const branch = aKey('branch')
const erase = (store: Store, id: string) => store.eraseMessage(HERE, messageId(id), at(9))

export const compressedErasing: readonly ConformanceCase[] = [
  {
    name: 'a compressed message can be erased, and those beside it stay as they were',
    async run(store) {
      await openCompressed(store)
      const before = await readAll(store, trip)
      assert.equal((await erase(store, 'm3')).messages, 1)
      const after = await readAll(store, trip)
      const { content, erasedAt, tokens, position } = after[3] ?? {}
      assert.deepEqual([content, erasedAt, tokens, position], ['', at(9), 0, 3])
      assert.ok(after[3] && !('metadata' in after[3]) && !('name' in after[3]))
      const words = (list: typeof before) =>
        list.filter((_, i) => i !== 3).map(({ content: said, metadata }) => [said, metadata])
      assert.deepEqual(words(after), words(before))
      assert.deepEqual(await findIds(store, 'number3'), [])
      assert.deepEqual(await findIds(store, 'number4'), ['m4'])
      assert.deepEqual(
        await store.compressedPositions(trip),
        upTo(15).filter((i) => i !== 3),
      )
      assert.equal((await store.statistics(HERE)).compressedMessages, 14)
      assert.deepEqual(await findProblems(store), [])
    },
  },
  {
    name: 'all compressed messages can be erased one by one or concurrently',
    async run(store) {
      for (const inTurn of [true, false]) {
        await openCompressed(store)
        const ids = upTo(20).map((i) => `m${i}`)
        if (inTurn) for (const id of ids) await erase(store, id)
        else await Promise.all(ids.map((id) => erase(store, id)))
        assert.deepEqual(await findIds(store, 'weather'), [])
        assert.deepEqual(await store.compressedPositions(trip), [])
        assert.equal((await needConversation(store, trip)).tokenCount, 0)
        assert.deepEqual(await findProblems(store), [])
        await store.eraseWorkspace(HERE)
      }
    },
  },
  {
    name: 'erasing a message erases its copies, compressed or not, on either side',
    async run(store) {
      for (const [original, copy] of [
        [true, false],
        [false, true],
        [true, true],
      ]) {
        await append(store, trip, { messages: aTalk('m', 12) })
        await fork(store, trip, { at: 11, into: 'branch' })
        if (original) await store.compress(trip, upTo(10))
        if (copy) await store.compress(branch, upTo(10))
        assert.equal((await erase(store, original ? 'branch-2' : 'm2')).messages, 2)
        for (const id of ['m2', 'branch-2']) assert.equal((await needMessage(store, id)).content, '')
        assert.deepEqual(await findIds(store, 'number2'), [])
        assert.deepEqual(await findIds(store, 'number3'), ['branch-3', 'm3'])
        assert.deepEqual(await findProblems(store), [])
        await store.eraseWorkspace(HERE)
      }
    },
  },
  {
    name: 'a conversation or workspace with compressed messages is erased completely',
    async run(store) {
      await openCompressed(store)
      await openCompressed(store, { key: aKey('other', ELSEWHERE) })
      assert.deepEqual(await store.eraseConversations([trip]), {
        messages: 20,
        conversations: 1,
        isScrubbed: store.capabilities.scrubsAtOnce,
        copiesIn: [],
        pages: 0,
        queries: 0,
        documents: 0,
      })
      assert.deepEqual(await findIds(store, 'weather'), [])
      assert.deepEqual(await store.compressedPositions(trip), [])
      assert.equal((await store.statistics(HERE)).compressedMessages, 0)
      assert.equal((await findIds(store, 'weather', { workspace: ELSEWHERE })).length, 20)
      await store.eraseWorkspace(ELSEWHERE)
      assert.deepEqual(await findIds(store, 'weather', { workspace: ELSEWHERE }), [])
      assert.deepEqual(await findProblems(store), [])
    },
  },
]
