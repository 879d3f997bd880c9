// Promises of jobs.ts about jobs that are leased, fail, are given up and are revived.

import assert from 'node:assert/strict'
import type { Store } from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import { aJob, claim, jobKeys, mustClaim } from './derived-samples.ts'
import { aKey, append, at, ELSEWHERE, HERE, many } from './samples.ts'

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

/** The keys of all jobs that are due, in the order in which they can be finished. */
async function finishAll(store: Store, minutes: number): Promise<readonly string[]> {
  const job = await claim(store, minutes)
  if (job === undefined) return []
  await store.finishJob(job)
  return [job.key, ...(await finishAll(store, minutes))]
}

export const jobLeases: readonly ConformanceCase[] = [
  {
    name: 'a lease that is renewed lasts longer; one that was lost is not renewed',
    async run(store) {
      await fill(store)
      await store.addJobs(trip, [aJob('a')], at(0))
      const first = await mustClaim(store, 1, { leaseMs: 60_000 })
      assert.equal(await store.renewJob(first, at(10)), true)
      assert.deepEqual(await store.nextJobAt(), at(10))
      assert.equal(await claim(store, 5), undefined)
      const second = await mustClaim(store, 10, { leaseMs: 60_000 })
      assert.equal(await store.renewJob(first, at(99)), false)
      assert.equal(await store.finishJob(second), true)
      assert.equal(await store.renewJob(second, at(99)), false)
    },
  },
  {
    name: 'a failed job waits until its retry time and counts its failures',
    async run(store) {
      await fill(store)
      await store.addJobs(trip, [aJob('a')], at(0))
      const first = await mustClaim(store, 1)
      assert.equal(await store.failJob(first, { error: 'the model is gone', runAt: at(30) }), true)
      const [waiting] = await store.jobs({ workspace: HERE, state: 'waiting', limit: 10 })
      assert.deepEqual(
        [waiting?.failures, waiting?.error, waiting?.runAt, waiting?.createdAt],
        [1, 'the model is gone', at(30), at(0)],
      )
      assert.equal(await claim(store, 29), undefined)
      const second = await mustClaim(store, 30)
      assert.deepEqual([second.id, second.failures, second.error], [first.id, 1, 'the model is gone'])
      await store.failJob(second, { error: 'still gone', runAt: at(90) })
      assert.deepEqual((await mustClaim(store, 90)).failures, 2)
    },
  },
  {
    name: 'a job that was given up is dead, keeps its error, and holds nobody up',
    async run(store) {
      await fill(store)
      await store.addJobs(trip, [aJob('a'), aJob('b')], at(0))
      await giveUp(store, 1, 'no such model')
      const [dead] = await store.jobs({ workspace: HERE, state: 'dead', limit: 10 })
      assert.deepEqual(
        [dead?.key, dead?.error, dead?.failures, dead?.state],
        ['a', 'no such model', 1, 'dead'],
      )
      const second = await mustClaim(store, 2)
      assert.equal(second.key, 'b')
      await store.finishJob(second)
      assert.equal(await claim(store, 999), undefined)
      assert.equal(await store.nextJobAt(), undefined)
    },
  },
  {
    name: 'a lease that runs out makes the job free, counts as a failure, and is worth nothing any more',
    async run(store) {
      await fill(store)
      await store.addJobs(trip, [aJob('a'), aJob('b')], at(0))
      const first = await mustClaim(store, 1, { leaseMs: 60_000 })
      assert.equal(await claim(store, 1.9), undefined)
      const second = await mustClaim(store, 2)
      assert.deepEqual([second.id, second.failures], [first.id, 1])
      assert.ok(second.error)
      assert.equal(await store.finishJob(first), false)
      assert.equal(await store.failJob(first, { error: 'late' }), false)
      assert.equal(await store.releaseJob(first), false)
      const { lease: _, ...expected } = second
      assert.deepEqual(await store.jobs({ workspace: HERE, state: 'running', limit: 10 }), [expected])
      assert.equal(await store.finishJob(second), true)
      assert.deepEqual(await jobKeys(store), ['b'])
    },
  },
  {
    name: 'without the lease a job is neither finished, nor failed, nor released',
    async run(store) {
      await fill(store)
      await store.addJobs(trip, [aJob('a')], at(0))
      const held = await mustClaim(store, 1)
      const before = await store.jobs({ workspace: HERE, limit: 10 })
      for (const ticket of [
        { id: held.id, lease: 'made up' },
        { id: held.id + 1, lease: held.lease },
      ]) {
        assert.equal(await store.finishJob(ticket), false)
        assert.equal(await store.failJob(ticket, { error: 'no', runAt: at(0) }), false)
        assert.equal(await store.releaseJob(ticket), false)
      }
      assert.deepEqual(await store.jobs({ workspace: HERE, limit: 10 }), before)
      assert.equal(await store.finishJob(held), true)
      assert.equal(await store.finishJob(held), false)
      assert.deepEqual(await jobKeys(store), [])
    },
  },
  {
    name: 'a job that is released is as it was, and can be claimed at once',
    async run(store) {
      await fill(store)
      await store.addJobs(trip, [aJob('a')], at(0))
      const failed = await mustClaim(store, 1)
      await store.failJob(failed, { error: 'once', runAt: at(5) })
      const before = await store.jobs({ workspace: HERE, limit: 10 })
      const held = await mustClaim(store, 6)
      assert.equal(await store.releaseJob(held), true)
      assert.deepEqual(await store.jobs({ workspace: HERE, limit: 10 }), before)
      assert.equal((await mustClaim(store, 6)).id, held.id)
    },
  },
  {
    name: 'dead jobs that are revived wait in their old place, as if they had never failed',
    async run(store) {
      await fill(store)
      await store.addJobs(trip, [aJob('a'), aJob('b'), aJob('c')], at(0))
      await store.addJobs(theirTrip, [aJob('theirs', { kind: 'title' })], at(-1))
      await giveUp(store, 1, 'theirs')
      await giveUp(store, 1, 'a')
      await giveUp(store, 1, 'b')
      assert.equal(await store.reviveJobs(HERE, at(5)), 2)
      assert.equal(await store.reviveJobs(HERE, at(5)), 0)
      const [, , revived] = await store.jobs({ workspace: HERE, limit: 10 })
      assert.deepEqual(
        [revived?.key, revived?.state, revived?.failures, revived?.error, revived?.runAt, revived?.createdAt],
        ['a', 'waiting', 0, undefined, at(5), at(0)],
      )
      assert.equal((await store.countJobs(ELSEWHERE)).dead, 1)
      assert.deepEqual(await finishAll(store, 6), ['a', 'b', 'c'])
    },
  },
  {
    name: 'a job that is revived does not run beside a later one of its kind, and comes before the next',
    async run(store) {
      await fill(store)
      for (const isReleased of [false, true]) {
        await store.addJobs(trip, [aJob('a'), aJob('b'), aJob('c')], at(0))
        await giveUp(store, 1, 'a')
        const running = await mustClaim(store, 2)
        assert.equal(running.key, 'b')
        await store.reviveJobs(HERE, at(3))
        assert.equal(await claim(store, 4), undefined)
        if (isReleased) await store.releaseJob(running)
        else await store.failJob(running, { error: 'later', runAt: at(4) })
        assert.deepEqual(await finishAll(store, 5), ['a', 'b', 'c'])
      }
    },
  },
]
