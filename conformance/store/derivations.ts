// Promises 1 and 2 of derivations.ts: a generation is built beside the active one and then swapped in, and derived
// data stays in step with its messages. What is read back is what was written.

import assert from 'node:assert/strict'
import { type JsonValue, messageId } from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import {
  aJob,
  anItem,
  commit,
  fillTwo,
  itemKeys,
  itemsOf,
  jobKeys,
  manyReadings,
  mustCommit,
  readingOf,
  readingPositions,
  readingsOf,
} from './derived-samples.ts'
import { aKey, append, at, ELSEWHERE, HERE, many, rejectsWith, upTo } from './samples.ts'

const trip = aKey('trip')
const other = aKey('other')
const reader = readingOf(trip)

const STATE: JsonValue = {
  list: [1, -0.5, null, { deep: 'NUL \u0000, 😀, "quoted"' }],
  empty: {},
  flag: true,
}

export const derivations: readonly ConformanceCase[] = [
  {
    name: 'a derivation is returned as it was committed, and continues from there',
    async run(store) {
      await fillTwo(store)
      assert.equal(await store.findDerivation(reader), undefined)
      await mustCommit(store, reader, { cursor: 2, state: STATE })
      const first = { generation: 1, version: 'v1', isActive: true, revision: 1, cursor: 2, state: STATE }
      assert.deepEqual(await store.findDerivation(reader), first)
      assert.deepEqual(await store.findDerivation(reader, 1), first)
      assert.equal(await store.findDerivation(reader, 2), undefined)
      await mustCommit(store, reader, { revision: 1, cursor: 5, version: 'v2', state: 'on' })
      const second = { ...first, version: 'v2', revision: 2, cursor: 5, state: 'on' }
      assert.deepEqual(await store.derivations(reader), [second])
    },
  },
  {
    name: 'a commit updates the title of the conversation, unless a caller set it',
    async run(store) {
      await fillTwo(store)
      await mustCommit(store, reader, { cursor: 2, title: 'Trains, Porto' })
      assert.equal((await store.findConversation(trip))?.title, 'Trains, Porto')
      assert.equal((await store.findConversation(other))?.title, undefined)
      await store.changeConversation(trip, { title: 'Our holidays', isTitleGiven: true })
      await mustCommit(store, reader, { revision: 1, cursor: 5, title: 'Hotels, Lisbon' })
      assert.equal((await store.findConversation(trip))?.title, 'Our holidays')
    },
  },
  {
    name: 'a commit that was outrun by another changes nothing and says so',
    async run(store) {
      await fillTwo(store)
      await mustCommit(store, reader, { put: [anItem('first')], readings: manyReadings(1) })
      await mustCommit(store, reader, { revision: 1, cursor: 2, state: 'faster' })
      const late = {
        cursor: 5,
        state: 'late',
        put: [anItem('late')],
        drop: [anItem('first')],
        readings: manyReadings(5),
        jobs: [aJob('late')],
      }
      for (const revision of [0, 1, 3])
        assert.equal(await commit(store, reader, { ...late, revision }), false)
      const derivation = await store.findDerivation(reader)
      assert.deepEqual([derivation?.state, derivation?.revision], ['faster', 2])
      assert.deepEqual(await itemKeys(store), ['first'])
      assert.deepEqual(await readingPositions(store, trip), [0])
      assert.deepEqual(await jobKeys(store), [])
    },
  },
  {
    name: 'of concurrent commits from one revision, exactly one is written',
    async run(store) {
      await fillTwo(store)
      for (const revision of upTo(3)) {
        const attempts = upTo(8).map((i) =>
          commit(store, reader, { revision, state: i, put: [anItem(`${revision}-${i}`)] }),
        )
        const won = (await Promise.all(attempts)).flatMap((isWritten, i) => (isWritten ? [i] : []))
        assert.equal(won.length, 1)
        assert.deepEqual((await store.findDerivation(reader))?.state, won[0])
        assert.equal((await itemKeys(store)).length, revision + 1)
      }
    },
  },
  {
    name: 'a new generation is written next to the active one, which stays in use until it is replaced',
    async run(store) {
      await fillTwo(store)
      const old = { put: [anItem('old')], readings: manyReadings(3), cursor: 3 }
      await mustCommit(store, reader, old)
      const beside = { generation: 2, version: 'v2', isActive: false }
      await mustCommit(store, reader, {
        ...beside,
        cursor: 2,
        put: [anItem('new')],
        readings: manyReadings(2),
      })
      await mustCommit(store, reader, { revision: 1, cursor: 4, put: [anItem('old too')] })
      assert.deepEqual(await itemKeys(store), ['old', 'old too'])
      assert.deepEqual(await readingPositions(store, trip), [0, 1, 2])
      assert.equal((await store.findDerivation(reader))?.generation, 1)
      assert.deepEqual(
        (await store.derivations(reader)).map(({ generation, isActive }) => [generation, isActive]),
        [
          [1, true],
          [2, false],
        ],
      )
      const swap = { ...beside, revision: 1, cursor: 5, put: [anItem('new too')], isActive: true }
      await mustCommit(store, reader, swap)
      assert.deepEqual(await itemKeys(store), ['new', 'new too'])
      assert.deepEqual(await itemKeys(store, trip), ['new', 'new too'])
      assert.deepEqual(await readingPositions(store, trip), [0, 1])
      const { generation, revision, version } = (await store.findDerivation(reader)) ?? {}
      assert.deepEqual({ generation, revision, version }, { generation: 2, revision: 2, version: 'v2' })
      assert.equal((await store.derivations(reader)).length, 1)
      assert.equal(await commit(store, reader, { revision: 2, cursor: 5 }), false, 'the old one is gone')
    },
  },
  {
    name: 'things and readings of a generation that is not active are seen by nobody',
    async run(store) {
      await fillTwo(store)
      const hidden = { isActive: false, put: [anItem('hidden')], readings: manyReadings(5), cursor: 5 }
      await mustCommit(store, reader, hidden)
      assert.equal(await store.findDerivation(reader), undefined)
      assert.equal((await store.findDerivation(reader, 1))?.isActive, false)
      assert.deepEqual(await itemsOf(store), [])
      assert.deepEqual(await itemsOf(store, trip), [])
      assert.deepEqual(await readingsOf(store, trip), [])
    },
  },
  {
    name: 'an active generation stays active after its next commit',
    async run(store) {
      await fillTwo(store)
      await mustCommit(store, reader, { put: [anItem('a')] })
      await mustCommit(store, reader, { revision: 1, isActive: false, put: [anItem('b')] })
      assert.equal((await store.findDerivation(reader))?.revision, 2)
      assert.deepEqual(await itemKeys(store), ['a', 'b'])
    },
  },
  {
    name: 'a derivation is dropped with all that belongs to it: one generation, or all',
    async run(store) {
      await fillTwo(store)
      const full = { put: [anItem('a')], readings: manyReadings(2), cursor: 2 }
      await mustCommit(store, reader, full)
      await mustCommit(store, readingOf(other), full)
      await mustCommit(store, reader, { ...full, generation: 2, isActive: false })
      await store.dropDerivation(reader, 2)
      assert.deepEqual(
        (await store.derivations(reader)).map(({ generation }) => generation),
        [1],
      )
      await mustCommit(store, reader, { generation: 2, isActive: false })
      await store.dropDerivation(reader)
      assert.deepEqual(await store.derivations(reader), [])
      assert.deepEqual(await itemsOf(store, trip), [])
      assert.deepEqual(await readingsOf(store, trip), [])
      assert.deepEqual(await itemKeys(store), ['a'], 'of the other conversation')
      assert.deepEqual(await readingPositions(store, other), [0, 1])
      await mustCommit(store, reader)
      assert.deepEqual(await readingsOf(store, trip), [])
    },
  },
  {
    name: 'derivers of one conversation do not see each other’s work',
    async run(store) {
      await fillTwo(store)
      const second = { ...trip, deriver: 'second' }
      await mustCommit(store, reader, { put: [anItem('a')], readings: manyReadings(1) })
      await mustCommit(store, second, { put: [anItem('a', { body: { by: 'second' } })], version: 'w1' })
      assert.deepEqual((await itemsOf(store, { deriver: 'second' }))[0]?.body, { by: 'second' })
      assert.equal((await itemsOf(store)).length, 1)
      assert.deepEqual(await store.readings({ ...second, limit: 10 }), [])
      await store.dropDerivation(second)
      assert.deepEqual(await itemKeys(store), ['a'])
      assert.deepEqual(await itemKeys(store, { deriver: 'second' }), [])
    },
  },
  {
    name: 'a commit that claims to have read missing messages changes nothing',
    async run(store) {
      await fillTwo(store)
      assert.equal(await commit(store, reader, { cursor: 6, put: [anItem('a')] }), false)
      assert.deepEqual(await store.derivations(reader), [])
      assert.deepEqual(await itemsOf(store), [])
    },
  },
  {
    name: 'a commit to a missing conversation fails as not found, and nothing can be read',
    async run(store) {
      await rejectsWith('not-found', commit(store, reader, { cursor: 0 }))
      await fillTwo(store)
      const nowhere = readingOf(aKey('nowhere'))
      await rejectsWith('not-found', commit(store, nowhere, { cursor: 0, put: [anItem('a')] }))
      assert.equal(await store.findConversation(nowhere), undefined)
      assert.equal(await store.findDerivation(nowhere), undefined)
      assert.deepEqual(await store.derivations(nowhere), [])
      assert.deepEqual(await readingsOf(store, nowhere), [])
      assert.deepEqual(await itemsOf(store, nowhere), [])
      assert.deepEqual(await itemsOf(store), [])
      await store.dropDerivation(nowhere)
    },
  },
  {
    name: 'derivations of a conversation of the same name in another workspace are others',
    async run(store) {
      await append(store, trip, { messages: many('m', 5) })
      const theirTrip = aKey('trip', ELSEWHERE)
      const theirs = readingOf(theirTrip)
      await append(store, theirTrip, { messages: many('m', 5) })
      const put = [anItem('theirs')]
      await mustCommit(store, theirs, { cursor: 3, state: 'theirs', put, readings: manyReadings(3) })
      assert.equal(await store.findDerivation(reader), undefined)
      assert.equal(await store.findDerivation(reader, 1), undefined)
      assert.deepEqual(await store.derivations(reader), [])
      for (const list of [{}, trip, { key: 'theirs' }]) assert.deepEqual(await itemsOf(store, list), [])
      assert.deepEqual(await readingsOf(store, trip), [])
      assert.equal(await commit(store, reader, { revision: 1 }), false)
      const before = [await store.derivations(theirs), await itemsOf(store, theirTrip)]
      await mustCommit(store, reader, { put: [anItem('ours')], drop: put, readings: manyReadings(1) })
      await mustCommit(store, reader, { generation: 2, put: [anItem('ours too')] })
      await store.dropDerivation(reader)
      assert.deepEqual([await store.derivations(theirs), await itemsOf(store, theirTrip)], before)
      assert.deepEqual(await readingPositions(store, theirTrip), [0, 1, 2])
      assert.deepEqual(await itemsOf(store, { workspace: HERE }), [])
    },
  },
  {
    name: 'the active derivations of a workspace are listed by conversation',
    async run(store) {
      await fillTwo(store)
      const elsewhere = { ...trip, workspace: ELSEWHERE }
      await append(store, elsewhere, { messages: many('e', 5) })
      await mustCommit(store, reader, { cursor: 2, state: STATE })
      await mustCommit(store, reader, { generation: 2, cursor: 3, isActive: false })
      await mustCommit(store, readingOf(other), { cursor: 4 })
      await mustCommit(store, { ...trip, deriver: 'another' })
      await mustCommit(store, readingOf(elsewhere))
      const listed = await store.activeDerivations(HERE, 'reader')
      assert.deepEqual(
        [...listed].sort((one, two) => one.cursor - two.cursor),
        [
          { ...(await store.findDerivation(reader)), conversation: trip.conversation },
          { ...(await store.findDerivation(readingOf(other))), conversation: other.conversation },
        ],
      )
      await store.eraseMessage(HERE, messageId('m0'), at(9))
      const left = await store.activeDerivations(HERE, 'reader')
      assert.deepEqual(
        left.map(({ conversation }) => conversation),
        [other.conversation],
      )
    },
  },
]
