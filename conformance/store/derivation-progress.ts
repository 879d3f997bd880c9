// How changes of derived data are detected, and what is still to be derived.

import assert from 'node:assert/strict'
import { messageId, type Store } from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import {
  anItem,
  derive,
  expectNothing,
  fillDerived,
  itemKeys,
  itemsOf,
  itemsVersion,
  mustCommit,
  readingOf,
  Versions,
} from './derived-samples.ts'
import {
  aKey,
  aMessage,
  append,
  at,
  create,
  ELSEWHERE,
  findProblems,
  fork,
  HERE,
  many,
  upTo,
} from './samples.ts'

const trip = aKey('trip')
const other = aKey('other')
const branch = aKey('branch')
const reader = readingOf(trip)
const erase = (store: Store, id: string) => store.eraseMessage(HERE, messageId(id), at(9))

/** Names of the conversations that are still to be read, in alphabetical order. */
async function listStale(store: Store, version = 'v1', deriver = 'reader'): Promise<readonly string[]> {
  const keys = await store.listStale({ deriver, version, behind: 1, limit: 100 })
  return keys.map(({ workspace, conversation }) => `${workspace} ${conversation}`).sort()
}

export const derivationProgress: readonly ConformanceCase[] = [
  {
    name: 'the version of things changes whenever they do, and never comes back',
    async run(store) {
      const versions = new Versions()
      const look = async (after: string) => versions.add(await itemsVersion(store), after)
      const both = async () => {
        await append(store, trip, { messages: many('m', 5) })
        await append(store, other, { messages: many('o', 5) })
        await mustCommit(store, reader, { put: [anItem('a'), anItem('b')] })
        await look('putting')
        await mustCommit(store, readingOf(other), { put: [anItem('c')] })
        await look('putting elsewhere')
      }
      await both()
      await mustCommit(store, reader, { revision: 1, put: [anItem('b')] })
      await look('putting again')
      await mustCommit(store, reader, { revision: 2, drop: [anItem('b')] })
      await look('dropping')
      await mustCommit(store, reader, { revision: 3, put: [anItem('b')] })
      await look('putting what was dropped')
      const beside = { generation: 2, put: [anItem('z')], isActive: false }
      await mustCommit(store, reader, beside)
      const { put: _, ...swap } = { ...beside, revision: 1, isActive: true }
      await mustCommit(store, reader, swap)
      await look('swapping')
      await erase(store, 'm1')
      await look('erasing a message')
      await store.dropDerivation(readingOf(other))
      await look('dropping a derivation')
      await mustCommit(store, reader, { put: [anItem('a')] })
      await look('deriving again')
      await store.eraseConversations([trip])
      await look('erasing a conversation')
      await store.eraseWorkspace(HERE)
      await both()
      await store.eraseWorkspace(HERE)
      await append(store, aKey('in between', ELSEWHERE), { messages: many('e', 1) })
      await both()
    },
  },
  {
    name: 'a generation that was written unseen shows in the version when it is seen',
    async run(store) {
      await append(store, trip, { messages: many('m', 5) })
      await append(store, other, { messages: many('o', 5) })
      await mustCommit(store, reader, { isActive: false, put: [anItem('a')] })
      await mustCommit(store, readingOf(other), { put: [anItem('b')] })
      const before = await itemsVersion(store)
      await mustCommit(store, reader, { revision: 1 })
      assert.notEqual(await itemsVersion(store), before)
      assert.deepEqual([...(await itemKeys(store))].sort(), ['a', 'b'])
    },
  },
  {
    name: 'the version of a kind changes only with items of that kind, and shows whether some were removed',
    async run(store) {
      await fillDerived(store, trip, 'm')
      await fillDerived(store, aKey('trip', ELSEWHERE), 'm')
      const beforeColon = (version: string) => version.slice(0, version.lastIndexOf(':'))
      const before = await itemsVersion(store)
      const last = (await itemsOf(store)).at(-1)?.number ?? 0
      await append(store, trip, { messages: many('n', 5) })
      const theirs = readingOf(aKey('trip', ELSEWHERE))
      await mustCommit(store, theirs, { revision: 1, cursor: 5, put: [anItem('theirs')] })
      await mustCommit(store, reader, { revision: 1, cursor: 9, put: [anItem('t', { kind: 'topic' })] })
      assert.equal(await itemsVersion(store), before)
      await mustCommit(store, reader, { revision: 2, cursor: 9, put: [anItem('new'), anItem('trip')] })
      const later = await itemsVersion(store)
      assert.notEqual(later, before)
      assert.equal(beforeColon(later), beforeColon(before))
      assert.deepEqual(await itemKeys(store, { after: last }), ['new', 'trip'])
      await mustCommit(store, reader, { revision: 3, cursor: 9, drop: [anItem('new')] })
      assert.notEqual(beforeColon(await itemsVersion(store)), beforeColon(before))
    },
  },
  {
    name: 'conversations that a deriver has not read to the end are listed, in every workspace',
    async run(store) {
      assert.deepEqual(await listStale(store), [])
      await append(store, trip, { messages: many('m', 5) })
      await append(store, aKey('trip', ELSEWHERE), { messages: many('m', 5) })
      await create(store, aKey('empty'))
      assert.deepEqual(await listStale(store), ['elsewhere trip', 'here trip'], 'never at work')
      await mustCommit(store, reader, { cursor: 4 })
      assert.deepEqual(await listStale(store), ['elsewhere trip', 'here trip'], 'read in part')
      await mustCommit(store, reader, { revision: 1, cursor: 5 })
      assert.deepEqual(await listStale(store), ['elsewhere trip'])
      await append(store, trip, { messages: [aMessage('more')] })
      await append(store, aKey('empty'), { messages: [aMessage('first')] })
      assert.deepEqual(await listStale(store), ['elsewhere trip', 'here empty', 'here trip'])
      await mustCommit(store, readingOf(aKey('empty')), { isActive: false })
      assert.deepEqual(await listStale(store), ['elsewhere trip', 'here empty', 'here trip'], 'unseen')
      assert.deepEqual(await listStale(store, 'v1', 'another'), ['elsewhere trip', 'here empty', 'here trip'])
      assert.equal(
        (await store.listStale({ deriver: 'reader', version: 'v1', behind: 1, limit: 2 })).length,
        2,
      )
    },
  },
  {
    name: 'conversations that were read by another version are yet to be read',
    async run(store) {
      for (const i of upTo(4)) {
        await append(store, aKey(`c${i}`), { messages: many(`m${i}-`, 5) })
        await mustCommit(store, readingOf(aKey(`c${i}`)), { cursor: 5, version: `v${i}` })
      }
      assert.deepEqual(await listStale(store, 'v1'), ['here c0', 'here c2', 'here c3'])
      await append(store, aKey('c3'), { messages: [aMessage('more')] })
      assert.deepEqual(await listStale(store, 'v1'), ['here c0', 'here c2', 'here c3'], 'each once')
      assert.equal(
        (await store.listStale({ deriver: 'reader', version: 'v1', behind: 1, limit: 2 })).length,
        2,
      )
      const next = { generation: 2, version: 'v1' }
      await mustCommit(store, readingOf(aKey('c0')), { ...next, cursor: 5 })
      await mustCommit(store, readingOf(aKey('c3')), { ...next, cursor: 6 })
      assert.deepEqual(await listStale(store, 'v1'), ['here c2'])
    },
  },
  {
    name: 'a conversation with its memory off is not to be read, until it is on again',
    async run(store) {
      await append(store, trip, { messages: many('m', 5) })
      await create(store, other, { isMemoryOn: false })
      await append(store, other, { messages: many('o', 5) })
      assert.deepEqual(await listStale(store), ['here trip'])
      await mustCommit(store, reader, { cursor: 5 })
      await append(store, other, { messages: [aMessage('more')] })
      assert.deepEqual(await listStale(store), [])
      await store.changeConversation(trip, { isMemoryOn: false })
      await append(store, trip, { messages: [aMessage('unheard')] })
      await store.changeConversation(other, { isMemoryOn: true })
      assert.deepEqual(await listStale(store), ['here other'])
      assert.deepEqual(await listStale(store, 'v2'), ['here other'], 'other rules')
      await store.changeConversation(trip, { isMemoryOn: true })
      assert.deepEqual(await listStale(store), ['here other', 'here trip'])
    },
  },
  {
    name: 'after an erase or a drop, the affected messages are unread again, and a fork is unread from its beginning',
    async run(store) {
      for (const key of [trip, other]) await fillDerived(store, key, key.conversation)
      assert.deepEqual(await listStale(store), [])
      await fork(store, trip, { at: 4, into: 'branch' })
      await expectNothing(store, branch)
      assert.deepEqual(await listStale(store), ['here branch'])
      await derive(store, branch)
      await erase(store, 'trip2')
      assert.deepEqual(await listStale(store), ['here branch', 'here trip'])
      await store.dropDerivation(readingOf(other))
      assert.deepEqual(await listStale(store), ['here branch', 'here other', 'here trip'])
      await store.eraseConversations([trip, branch])
      assert.deepEqual(await listStale(store), ['here other'])
      await derive(store, other)
      assert.deepEqual(await listStale(store), [])
      assert.deepEqual(await findProblems(store), [])
    },
  },
  {
    name: 'conversations that were read completely are not listed as unread, however many there are',
    async run(store) {
      for (const i of upTo(150)) {
        const key = aKey(`c${i}`)
        await append(store, key, { messages: many(`m${i}-`, 1) })
        if (i % 50 !== 49) await mustCommit(store, readingOf(key))
      }
      const unread = ['here c149', 'here c49', 'here c99']
      // The store may clean up while listing: a concurrent append must not be lost.
      const [told] = await Promise.all([
        listStale(store),
        append(store, aKey('c7'), { messages: [aMessage('more')] }),
      ])
      assert.deepEqual(
        told.filter((name) => name !== 'here c7'),
        unread,
      )
      for (const _ of upTo(3)) assert.deepEqual(await listStale(store), [...unread, 'here c7'].sort())
      await mustCommit(store, readingOf(aKey('c7')), { revision: 1, cursor: 2 })
      assert.deepEqual(await listStale(store), unread)
      await store.dropDerivation(readingOf(aKey('c8')))
      await erase(store, 'm9-0')
      assert.deepEqual(await listStale(store), [...unread, 'here c8', 'here c9'].sort())
      assert.deepEqual(await findProblems(store), [])
    },
  },
]
