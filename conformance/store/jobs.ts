// Promises of jobs.ts: jobs run in order, one at a time, are visible until done, and are never lost.

import assert from 'node:assert/strict'
import type { JobState, Store } from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import { aJob, claim, jobKeys, mustClaim } from './derived-samples.ts'
import { aKey, append, at, ELSEWHERE, HERE, many, rejectsWith, upTo } from './samples.ts'

const trip = aKey('trip')
const other = aKey('other')
const theirTrip = aKey('trip', ELSEWHERE)

async function fill(store: Store): Promise<void> {
  await append(store, trip, { messages: many('m', 3) })
  await append(store, other, { messages: many('o', 3) })
  await append(store, theirTrip, { messages: many('m', 3) })
}

/** Claims the next job and fails it for good. */
async function giveUp(store: Store, minutes: number, error: string): Promise<void> {
  assert.equal(await store.failJob(await mustClaim(store, minutes), { error }), true)
}

const inState = async (store: Store, state: JobState) =>
  (await store.jobs({ workspace: HERE, state, limit: 100 })).map(({ key }) => key)

export const jobs: readonly ConformanceCase[] = [
  {
    name: 'a job is returned unchanged',
    async run(store) {
      await fill(store)
      const body = { text: 'NUL \u0000, 😀', list: [1, null, { deep: true }] }
      await store.addJobs(trip, [aJob('a', { body })], at(1))
      const [job] = await store.jobs({ workspace: HERE, limit: 10 })
      assert.deepEqual(job, {
        ...trip,
        id: job?.id,
        kind: 'sum-up',
        key: 'a',
        body,
        state: 'waiting',
        failures: 0,
        runAt: at(1),
        createdAt: at(1),
      })
      const { lease: _, ...claimed } = await mustClaim(store, 1)
      assert.deepEqual(claimed, { ...job, state: 'running' })
      assert.deepEqual(await store.jobs({ workspace: HERE, limit: 10 }), [claimed])
    },
  },
  {
    name: 'a job whose key still waits is not added again',
    async run(store) {
      await fill(store)
      await store.addJobs(trip, [aJob('a', { body: { first: true } }), aJob('a')], at(0))
      await store.addJobs(trip, [aJob('a'), aJob('a', { kind: 'title' }), aJob('b')], at(1))
      await store.addJobs(other, [aJob('a')], at(1))
      await store.addJobs(theirTrip, [aJob('a')], at(1))
      assert.deepEqual(await jobKeys(store), ['a', 'b', 'a', 'a'])
      assert.deepEqual(await jobKeys(store, ELSEWHERE), ['a'])
      const job = await mustClaim(store, 9)
      assert.deepEqual([job.body, job.createdAt], [{ first: true }, at(0)])
    },
  },
  {
    name: 'a job whose key is running waits behind it, since that one may have begun too early',
    async run(store) {
      await fill(store)
      await store.addJobs(trip, [aJob('a')], at(0))
      const running = await mustClaim(store, 1)
      await store.addJobs(trip, [aJob('a', { body: { second: true } })], at(2))
      await store.addJobs(trip, [aJob('a')], at(3))
      assert.equal(await claim(store, 4), undefined)
      await store.finishJob(running)
      const second = await mustClaim(store, 4)
      assert.deepEqual(second.body, { second: true })
      await store.finishJob(second)
      assert.equal(await claim(store, 5), undefined)
    },
  },
  {
    name: 'a dead job gives way to a new one of its key',
    async run(store) {
      await fill(store)
      await store.addJobs(trip, [aJob('a')], at(0))
      await giveUp(store, 1, 'no')
      await store.addJobs(trip, [aJob('a', { body: { again: true } })], at(2))
      assert.deepEqual(await store.countJobs(HERE), { waiting: 1, running: 0, dead: 0 })
      const { body, failures, error } = await mustClaim(store, 3)
      assert.deepEqual({ body, failures, error }, { body: { again: true }, failures: 0, error: undefined })
    },
  },
  {
    name: 'jobs of one conversation and kind run one after the other, in the order they came',
    async run(store) {
      await fill(store)
      await store.addJobs(trip, [aJob('a'), aJob('b'), aJob('c')], at(0))
      await store.addJobs(trip, [aJob('title', { kind: 'title' })], at(1))
      await store.addJobs(other, [aJob('other')], at(2))
      await store.addJobs(theirTrip, [aJob('theirs')], at(3))
      const first = await mustClaim(store, 5)
      assert.deepEqual([first.key, (await mustClaim(store, 5)).key], ['a', 'title'])
      assert.deepEqual(
        [(await mustClaim(store, 5)).key, (await mustClaim(store, 5)).key],
        ['other', 'theirs'],
      )
      assert.equal(await claim(store, 5), undefined)
      await store.finishJob(first)
      const second = await mustClaim(store, 5)
      assert.equal(second.key, 'b')
      assert.equal(await claim(store, 5), undefined)
      await store.failJob(second, { error: 'later', runAt: at(60) })
      assert.equal(await claim(store, 6), undefined, 'the third is behind one that waits')
    },
  },
  {
    name: 'concurrent claims get every job once',
    async run(store) {
      await fill(store)
      for (const i of upTo(12)) await store.addJobs(trip, [aJob(`${i}`, { kind: `kind ${i}` })], at(0))
      const claimed = await Promise.all(upTo(20).map(() => claim(store, 1)))
      const keys = claimed.flatMap((job) => (job === undefined ? [] : [Number(job.key)]))
      assert.deepEqual(
        keys.toSorted((a, b) => a - b),
        upTo(12),
      )
    },
  },
  {
    name: 'the next time to look is when a job is due or a lease runs out, not when one waits behind another',
    async run(store) {
      await fill(store)
      assert.equal(await store.nextJobAt(), undefined)
      await store.addJobs(trip, [aJob('a'), aJob('b')], at(5))
      assert.deepEqual(await store.nextJobAt(), at(5))
      const held = await mustClaim(store, 6, { leaseMs: 60_000 })
      assert.deepEqual(await store.nextJobAt(), at(7), 'the lease')
      await store.failJob(held, { error: 'later', runAt: at(40) })
      assert.deepEqual(await store.nextJobAt(), at(40), 'the second is behind the first')
      await store.addJobs(theirTrip, [aJob('theirs')], at(20))
      assert.deepEqual(await store.nextJobAt(), at(20))
      await giveUp(store, 20, 'no')
      assert.deepEqual(await store.nextJobAt(), at(40), 'dead ones are not due')
      await store.releaseJob(await mustClaim(store, 50))
      assert.deepEqual(await store.nextJobAt(), at(40))
      for (const _ of upTo(2)) await store.finishJob(await mustClaim(store, 50))
      assert.equal(await store.nextJobAt(), undefined)
    },
  },
  {
    name: 'jobs are listed newest first and counted, by state, for one workspace alone',
    async run(store) {
      await fill(store)
      const kinds = upTo(6).map((i) => aJob(`${i}`, { kind: `kind ${i}` }))
      await store.addJobs(trip, kinds, at(0))
      await store.addJobs(theirTrip, [aJob('theirs')], at(1))
      await giveUp(store, 2, 'no')
      await mustClaim(store, 2)
      assert.deepEqual(await jobKeys(store), ['5', '4', '3', '2', '1', '0'])
      assert.deepEqual(await inState(store, 'dead'), ['0'])
      assert.deepEqual(await inState(store, 'running'), ['1'])
      assert.deepEqual(await inState(store, 'waiting'), ['5', '4', '3', '2'])
      const newest = await store.jobs({ workspace: HERE, limit: 2 })
      assert.deepEqual(
        newest.map(({ key }) => key),
        ['5', '4'],
      )
      assert.deepEqual(await store.countJobs(HERE), { waiting: 4, running: 1, dead: 1 })
      assert.deepEqual(await store.countJobs(ELSEWHERE), { waiting: 1, running: 0, dead: 0 })
      assert.deepEqual(await store.countJobs(), { waiting: 5, running: 1, dead: 1 })
      assert.deepEqual(await jobKeys(store, ELSEWHERE), ['theirs'])
      await store.eraseWorkspace(ELSEWHERE)
      assert.deepEqual(await store.countJobs(ELSEWHERE), { waiting: 0, running: 0, dead: 0 })
      assert.equal(await store.reviveJobs(ELSEWHERE, at(3)), 0)
    },
  },
  {
    name: 'ids of jobs are never used again',
    async run(store) {
      await fill(store)
      await store.addJobs(trip, [aJob('a')], at(0))
      const first = await mustClaim(store, 1, { lease: 'same' })
      await store.finishJob(first)
      await store.addJobs(trip, [aJob('b')], at(2))
      const second = await mustClaim(store, 3, { lease: 'same' })
      assert.ok(second.id > first.id)
    },
  },
  {
    name: 'jobs of a missing conversation are all rejected as not found',
    async run(store) {
      await rejectsWith('not-found', store.addJobs(trip, [aJob('a')], at(0)))
      await fill(store)
      await rejectsWith('not-found', store.addJobs(aKey('other', ELSEWHERE), [aJob('a')], at(0)))
      assert.deepEqual(await store.countJobs(), { waiting: 0, running: 0, dead: 0 })
      assert.equal(await claim(store, 9), undefined)
    },
  },
]
