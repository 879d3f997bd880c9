// Promise 9: compressed messages read the same as others. Damage to compressed data can only be caused from outside,
// so each backend tests it itself.

import assert from 'node:assert/strict'
import { messageId, type Store } from 'recollect/store'
import { aTalk, look, openCompressed, trip } from './compressed-samples.ts'
import type { ConformanceCase } from './conformance-case.ts'
import {
  aKey,
  aMessage,
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
  readWorkspace,
  rejectsWith,
  toIds,
  upTo,
} from './samples.ts'

const branch = aKey('branch')
const NOTHING = { messages: 0, bytesBefore: 0, bytesAfter: 0 }
const erase = (store: Store, id: string) => store.eraseMessage(HERE, messageId(id), at(9))

export const compressing: readonly ConformanceCase[] = [
  {
    name: 'compressed messages are read and found just as before',
    async run(store) {
      await append(store, trip, { messages: aTalk('m', 20), appendKey: 'k' })
      const before = await look(store)
      assert.equal((await store.compress(trip, upTo(15))).messages, 15)
      assert.deepEqual(await look(store), before)
      assert.deepEqual(await findIds(store, 'number3'), ['m3'])
    },
  },
  {
    name: 'messages compressed bit by bit, in any order and in any groups, are read just as before',
    async run(store) {
      await append(store, trip, { messages: aTalk('m', 80) })
      const before = await look(store)
      const groups = [[70, 3, 5, 4], upTo(10), [9, 8, 7], [79], [11, 13, 15, 17, 19], upTo(80)]
      for (const group of groups) {
        await store.compress(trip, group)
        assert.deepEqual(await look(store), before)
      }
      assert.deepEqual(await store.compressedPositions(trip), upTo(80))
      assert.deepEqual(await findProblems(store), [])
    },
  },
  {
    name: 'compressing returns how many messages it compressed and how many bytes that saved',
    async run(store) {
      await append(store, trip, { messages: aTalk('m', 40) })
      const first = await store.compress(trip, upTo(20))
      assert.equal(first.messages, 20)
      assert.ok(first.bytesAfter > 0 && first.bytesAfter < first.bytesBefore / 2)
      const second = await store.compress(trip, upTo(40))
      assert.equal(second.messages, 20)
      const { compressedMessages, savedBytes } = await store.statistics(HERE)
      assert.equal(compressedMessages, 40)
      assert.ok(savedBytes > 0)
      assert.deepEqual(await store.compressedPositions(trip), upTo(40))
    },
  },
  {
    name: 'messages that are compressed already, erased or not there are passed over',
    async run(store) {
      await openCompressed(store)
      await erase(store, 'm17')
      assert.deepEqual(await store.compress(trip, [...upTo(15), 17, 20, 999, -1]), NOTHING)
      assert.deepEqual(await store.compress(trip, []), NOTHING)
      assert.equal((await store.compress(trip, [16, 18, 16, 18, 19])).messages, 3)
      assert.deepEqual(await store.compressedPositions(trip), [...upTo(15), 16, 18, 19])
    },
  },
  {
    name: 'messages that would not get smaller stay as they are',
    async run(store) {
      await append(store, trip, { messages: [aMessage('a', ''), aMessage('b', 'hi')] })
      assert.deepEqual(await store.compress(trip, [0]), NOTHING)
      assert.deepEqual(await store.compress(trip, [0, 1]), NOTHING)
      assert.deepEqual(await store.compressedPositions(trip), [])
      assert.equal((await needMessage(store, 'b')).content, 'hi')
    },
  },
  {
    name: 'a conversation that is not there has nothing compressed, and cannot be',
    async run(store) {
      await rejectsWith('not-found', store.compress(trip, [0]))
      assert.deepEqual(await store.compressedPositions(trip), [])
      assert.deepEqual(await store.listWorkspaces(), [])
    },
  },
  {
    name: 'compressing touches one conversation of one workspace',
    async run(store) {
      const theirs = aKey('trip', ELSEWHERE)
      for (const key of [trip, theirs, aKey('other')]) {
        await append(store, key, { messages: aTalk(key === trip ? 'm' : key.conversation, 20) })
      }
      const before = await readWorkspace(store, ELSEWHERE)
      await store.compress(trip, upTo(20))
      assert.deepEqual(await readWorkspace(store, ELSEWHERE), before)
      assert.deepEqual(await store.compressedPositions(theirs), [])
      assert.deepEqual(await store.compressedPositions(aKey('other')), [])
      assert.equal((await store.statistics(HERE)).compressedMessages, 20)
    },
  },
  {
    name: 'a conversation continues after its beginning was compressed',
    async run(store) {
      await openCompressed(store)
      const before = await readAll(store, trip)
      const { messages } = await append(store, trip, { messages: [aMessage('next', 'and on it goes')] })
      assert.deepEqual(
        [messages[0]?.position, messages[0]?.tokensBefore],
        [20, (await needConversation(store, trip)).tokenCount - (messages[0]?.tokens ?? 0)],
      )
      assert.deepEqual(await readAll(store, trip), [...before, ...messages])
    },
  },
  {
    name: 'a retry finds what it wrote though it is compressed, and other words are refused',
    async run(store) {
      await openCompressed(store)
      const before = await look(store)
      const again = await append(store, trip, { messages: aTalk('m', 20), appendKey: 'k' })
      assert.deepEqual([again.added, again.messages], [0, await readAll(store, trip)])
      assert.equal((await append(store, trip, { messages: aTalk('m', 6) })).added, 0)
      await rejectsWith('conflict', append(store, trip, { messages: [aMessage('m3', 'other words')] }))
      const otherTalk = aTalk('x', 20)
      await rejectsWith('conflict', append(store, trip, { messages: otherTalk, appendKey: 'k' }))
      assert.deepEqual(await look(store), before)
    },
  },
  {
    name: 'a fork of compressed messages has their words, and compresses by itself',
    async run(store) {
      await openCompressed(store)
      await fork(store, trip, { at: 17, into: 'branch' })
      const originals = (await readAll(store, trip)).slice(0, 18)
      const expected = originals.map(({ appendKey: _, ...original }, i) => ({
        ...original,
        id: `branch-${i}`,
        conversationId: 'branch',
        copyOf: original.id,
      }))
      assert.deepEqual(await readAll(store, branch), expected)
      assert.deepEqual(await store.compressedPositions(branch), [])
      await store.compress(branch, upTo(10))
      await store.eraseConversations([trip])
      assert.deepEqual(
        toIds(await readAll(store, branch)),
        upTo(18).map((i) => `branch-${i}`),
      )
      assert.deepEqual((await needMessage(store, 'branch-3')).content, originals[3]?.content)
    },
  },
  {
    name: 'a rebuild and a check also read compressed messages',
    async run(store) {
      await openCompressed(store)
      const before = await look(store)
      assert.deepEqual(await findProblems(store), [])
      await store.rebuild()
      assert.deepEqual(await look(store), before)
      assert.deepEqual(await store.compressedPositions(trip), upTo(15))
      assert.deepEqual(await findProblems(store), [])
    },
  },
  {
    name: 'concurrent compressing, recording, reading and erasing leave every message correct',
    async run(store) {
      await append(store, trip, { messages: aTalk('m', 60) })
      const before = await readAll(store, trip)
      const reads: Promise<readonly unknown[]>[] = []
      await Promise.all(
        upTo(30).flatMap((i) => {
          reads.push(readAll(store, trip).then((messages) => messages.slice(0, 20)))
          return [
            store.compress(trip, [2 * i, 2 * i + 1, i]),
            append(store, trip, { messages: [aMessage(`late${i}`, `number${i} came late`)] }),
            ...(i >= 20 ? [erase(store, `m${i}`)] : []),
          ]
        }),
      )
      for (const read of await Promise.all(reads)) {
        assert.deepEqual(read, before.slice(0, 20))
      }
      const after = await readAll(store, trip)
      assert.deepEqual(after.slice(0, 20), before.slice(0, 20))
      assert.ok(after.slice(20, 30).every(({ erasedAt, content }) => erasedAt && content === ''))
      assert.deepEqual(
        after.slice(30, 60).map(({ content }) => content),
        before.slice(30).map(({ content }) => content),
      )
      assert.equal(after.length, 90)
      assert.deepEqual(await findProblems(store), [])
    },
  },
  {
    name: 'a message whose words were lost elsewhere keeps its place and its mark, and a check names it',
    async run(store) {
      const lost = aMessage('lost', '', { isDamaged: true, role: 'tool' })
      await append(store, trip, { messages: [aMessage('a'), lost, aMessage('c')] })
      const { content, isDamaged, position, role } = await needMessage(store, 'lost')
      assert.deepEqual([content, isDamaged, position, role], ['', true, 1, 'tool'])
      assert.deepEqual((await readAll(store, trip))[1], await needMessage(store, 'lost'))
      assert.ok(!('isDamaged' in (await needMessage(store, 'a'))))
      await fork(store, trip, { at: 2, into: 'branch' })
      assert.equal((await needMessage(store, 'branch-1')).isDamaged, true)
      assert.equal((await append(store, trip, { messages: [lost] })).added, 0)
      assert.notDeepEqual(await findProblems(store), [])
      await store.rebuild()
      assert.notDeepEqual(await findProblems(store), [])
      assert.equal((await erase(store, 'lost')).messages, 2)
      assert.ok(!('isDamaged' in (await needMessage(store, 'lost'))))
      assert.deepEqual(await findProblems(store), [])
    },
  },
]
