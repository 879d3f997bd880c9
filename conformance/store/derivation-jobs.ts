// Commits, and the jobs that they add or complete.

import assert from 'node:assert/strict'
import type { ConformanceCase } from './conformance-case.ts'
import {
  aJob,
  anItem,
  claim,
  commit,
  fillTwo,
  itemKeys,
  itemsOf,
  jobKeys,
  manyReadings,
  mustClaim,
  mustCommit,
  readingOf,
} from './derived-samples.ts'
import { aKey, at } from './samples.ts'

const trip = aKey('trip')
const other = aKey('other')
const reader = readingOf(trip)

export const derivationJobs: readonly ConformanceCase[] = [
  {
    name: 'jobs that a commit calls for are added with it',
    async run(store) {
      await fillTwo(store)
      await mustCommit(store, reader, { jobs: [aJob('a'), aJob('b')] })
      await mustCommit(store, reader, { revision: 1, jobs: [aJob('a'), aJob('c')] })
      assert.deepEqual(await jobKeys(store), ['c', 'b', 'a'])
      const job = await mustClaim(store, 9)
      assert.deepEqual([job.key, job.conversation, job.createdAt], ['a', 'trip', at(4)])
    },
  },
  {
    name: 'a commit finishes the job it is the result of, and writes nothing where the lease was lost',
    async run(store) {
      await fillTwo(store)
      await store.addJobs(trip, [aJob('a'), aJob('b')], at(0))
      const first = await mustClaim(store, 1)
      const lost = await mustClaim(store, 30)
      assert.equal(lost.id, first.id, 'the lease of the first has run out')
      const result = { put: [anItem('a')], readings: manyReadings(1), jobs: [aJob('more')] }
      assert.equal(await commit(store, reader, { ...result, finishes: first }), false)
      assert.deepEqual([await itemsOf(store), await store.derivations(reader)], [[], []])
      assert.deepEqual(await jobKeys(store), ['b', 'a'])
      await mustCommit(store, reader, { ...result, finishes: lost })
      assert.deepEqual(await itemKeys(store), ['a'])
      assert.deepEqual(await jobKeys(store), ['more', 'b'])
      assert.equal(await commit(store, reader, { revision: 1, finishes: lost }), false)
      assert.equal((await claim(store, 30))?.key, 'b')
    },
  },
  {
    name: 'a commit that was outrun leaves the job that it would have finished',
    async run(store) {
      await fillTwo(store)
      await store.addJobs(trip, [aJob('a')], at(0))
      await mustCommit(store, reader)
      const held = await mustClaim(store, 1)
      assert.equal(await commit(store, reader, { finishes: held }), false)
      assert.equal(await store.finishJob(held), true)
    },
  },
  {
    name: 'a commit does not finish the job of another conversation',
    async run(store) {
      await fillTwo(store)
      await store.addJobs(other, [aJob('a')], at(0))
      const held = await mustClaim(store, 1)
      assert.equal(await commit(store, reader, { put: [anItem('a')], finishes: held }), false)
      assert.deepEqual(await itemsOf(store), [])
      assert.equal(await store.finishJob(held), true)
    },
  },
]
