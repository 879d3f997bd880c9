// Promises 3 and 4 of derivations.ts: derived data is erased with its text, and exists only where memory is on.

import assert from 'node:assert/strict'
import { messageId, type Store } from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import {
  anItem,
  claim,
  commit,
  derive,
  expectNothing,
  fillDerived,
  itemKeys,
  itemsOf,
  itemsVersion,
  jobKeys,
  manyReadings,
  mustClaim,
  mustCommit,
  readingOf,
  readingsOf,
  Versions,
} from './derived-samples.ts'
import { aKey, aMessage, append, at, ELSEWHERE, findProblems, fork, HERE, many, upTo } from './samples.ts'

const trip = aKey('trip')
const other = aKey('other')
const branch = aKey('branch')
const reader = readingOf(trip)
const erase = (store: Store, id: string) => store.eraseMessage(HERE, messageId(id), at(9))

export const derivationErasing: readonly ConformanceCase[] = [
  {
    name: 'erasing a message drops what was derived from it, in every conversation with a copy, and nothing else',
    async run(store) {
      await fillDerived(store, trip, 'm')
      await fork(store, trip, { at: 4, into: 'branch' })
      await derive(store, branch)
      await fork(store, trip, { at: 1, into: 'early' })
      await mustCommit(store, readingOf(aKey('early')), { put: [anItem('early')] })
      await fillDerived(store, other, 'o')
      await mustCommit(store, reader, { generation: 2, isActive: false, put: [anItem('beside')] })
      await erase(store, 'branch-3')
      await expectNothing(store, trip)
      await expectNothing(store, branch)
      assert.deepEqual([...(await itemKeys(store))].sort(), ['early', 'other'])
      assert.deepEqual(await jobKeys(store), ['other'])
      assert.deepEqual(await findProblems(store), [])
    },
  },
  {
    name: 'a job that is running is lost with an erased message',
    async run(store) {
      await fillDerived(store, trip, 'm')
      const held = await mustClaim(store, 5)
      await erase(store, 'm2')
      assert.equal(await store.finishJob(held), false)
      assert.equal(await store.failJob(held, { error: 'late', runAt: at(9) }), false)
      assert.equal(await store.releaseJob(held), false)
      const result = { put: [anItem('late')], finishes: held, cursor: 5 }
      assert.equal(await commit(store, reader, result), false)
      await expectNothing(store, trip)
      assert.equal(await claim(store, 60), undefined)
    },
  },
  {
    name: 'an erased conversation or workspace takes with it all that was derived',
    async run(store) {
      await fillDerived(store, trip, 'm')
      await fillDerived(store, other, 'o')
      await fillDerived(store, aKey('trip', ELSEWHERE), 'm')
      await store.eraseConversations([trip])
      await append(store, trip, { messages: many('m', 5) })
      await expectNothing(store, trip)
      assert.deepEqual(await itemKeys(store), ['other'])
      await store.eraseWorkspace(HERE)
      await append(store, other, { messages: many('o', 5) })
      await expectNothing(store, other)
      assert.deepEqual(await itemKeys(store, { workspace: ELSEWHERE }), ['trip'])
      assert.deepEqual(await jobKeys(store, ELSEWHERE), ['trip'])
      assert.deepEqual(await store.countJobs(HERE), { waiting: 0, running: 0, dead: 0 })
      assert.deepEqual(await findProblems(store), [])
    },
  },
  {
    name: 'what was read before an erase cannot be committed after it',
    async run(store) {
      await fillDerived(store, trip, 'm')
      await append(store, other, { messages: many('o', 5) })
      const erasureVersion = await store.erasureVersion(HERE)
      const late = { erasureVersion, cursor: 5, put: [anItem('late')], readings: manyReadings(5) }
      await erase(store, 'o1')
      assert.equal(await commit(store, readingOf(other), late), false, 'nothing was derived from it yet')
      await erase(store, 'm1')
      await mustCommit(store, reader, { cursor: 5 })
      assert.equal(await commit(store, reader, { ...late, revision: 1 }), false, 'it was started again')
      assert.deepEqual(await itemsOf(store), [])
      assert.deepEqual(await readingsOf(store, trip), [])
    },
  },
  {
    name: 'what was read of a conversation or workspace that was erased is not taken for its successor',
    async run(store) {
      await append(store, trip, { messages: many('m', 5) })
      const late = { cursor: 5, put: [anItem('late')] }
      const first = await store.erasureVersion(HERE)
      await store.eraseConversations([trip])
      await append(store, trip, { messages: many('m', 5) })
      assert.equal(await commit(store, reader, { ...late, erasureVersion: first }), false)
      const second = await store.erasureVersion(HERE)
      await store.eraseWorkspace(HERE)
      await append(store, trip, { messages: many('m', 5) })
      for (const erasureVersion of [first, second])
        assert.equal(await commit(store, reader, { ...late, erasureVersion }), false)
      assert.deepEqual(await itemsOf(store), [])
      await mustCommit(store, reader, late)
    },
  },
  {
    name: 'a commit to a derivation that was dropped and started again is refused',
    async run(store) {
      await fillDerived(store, trip, 'm')
      const erasureVersion = await store.erasureVersion(HERE)
      await store.dropDerivation(reader)
      await mustCommit(store, reader, { cursor: 2 })
      assert.equal(await commit(store, reader, { erasureVersion, revision: 1, cursor: 5 }), false)
      assert.equal((await store.findDerivation(reader))?.cursor, 2)
    },
  },
  {
    name: 'the erasure version stays the same while nothing is erased or dropped, and commits go on from it',
    async run(store) {
      await append(store, trip, { messages: many('m', 5) })
      const erasureVersion = await store.erasureVersion(HERE)
      for (const i of upTo(3)) {
        await append(store, trip, { messages: [aMessage(`n${i}`)] })
        await mustCommit(store, reader, { erasureVersion, revision: i, cursor: 6 + i, put: [anItem(`${i}`)] })
      }
      await mustCommit(store, reader, { erasureVersion, generation: 2, drop: [anItem('0')] })
      assert.equal(await store.erasureVersion(HERE), erasureVersion)
    },
  },
  {
    name: 'switching the memory of a conversation off drops what was derived, and nothing more is taken',
    async run(store) {
      await fillDerived(store, trip, 'm')
      await fillDerived(store, other, 'o')
      const held = await mustClaim(store, 5)
      assert.equal(held.conversation, 'trip')
      const versions = new Versions()
      versions.add(await itemsVersion(store), 'deriving')
      await store.changeConversation(trip, { isMemoryOn: false })
      versions.add(await itemsVersion(store), 'switching off')
      await expectNothing(store, trip)
      assert.equal(await commit(store, reader, { put: [anItem('late')] }), false)
      assert.equal(await commit(store, reader, { put: [anItem('late')], finishes: held }), false)
      await expectNothing(store, trip)
      assert.deepEqual(await itemKeys(store), ['other'])
      await store.changeConversation(trip, { isMemoryOn: true })
      await derive(store, trip)
      assert.deepEqual(await itemKeys(store), ['other', 'trip'])
      assert.deepEqual(await findProblems(store), [])
    },
  },
]
