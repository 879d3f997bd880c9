// Several processes on one database, simulated by several stores with separate pools.

import { expect, test } from 'vitest'
import { anItem, mustCommit, readingOf } from '../../conformance/store/derived-samples.ts'
import { aKey, aMessage, append, at, HERE, many, readAll, upTo } from '../../conformance/store/samples.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Store } from '../../src/store/store.ts'
import { postgresSettings } from '../support/postgres-store.ts'

const trip = aKey('trip')

/** Opens the stores at the same time, on a schema that does not exist yet. */
async function withStores(count: number, work: (stores: readonly Store[]) => Promise<void>): Promise<void> {
  const settings = await postgresSettings({ poolSize: 3 })
  const stores = await Promise.all(upTo(count).map(() => openPostgresStore(settings)))
  try {
    await work(stores)
  } finally {
    await Promise.all(stores.map((store) => store.close()))
  }
}

const pick = (stores: readonly Store[], i: number): Store => stores[i % stores.length] as Store

test('servers that start at once create the tables once, and all of them work', async () => {
  await withStores(5, async (stores) => {
    for (const [i, store] of stores.entries()) await append(store, trip, { messages: [aMessage(`m${i}`)] })
    expect(await readAll(pick(stores, 0), trip)).toHaveLength(5)
  })
})

test('concurrent writers to one conversation leave no gaps or duplicates, and the counts are right', async () => {
  await withStores(3, async (stores) => {
    await Promise.all(
      upTo(30).map((i) => append(pick(stores, i), trip, { messages: many(`w${i}-`, 1 + (i % 3)) })),
    )
    const messages = await readAll(pick(stores, 0), trip)
    expect(messages.map(({ position }) => position)).toEqual(upTo(60))
    expect(new Set(messages.map(({ id }) => id)).size).toBe(60)
    const findings = await pick(stores, 1).check()
    expect(findings.filter(({ problem }) => problem !== undefined)).toEqual([])
  })
})

test('the same message or the same key written concurrently is stored once', async () => {
  await withStores(3, async (stores) => {
    const same = await Promise.all(
      upTo(9).map((i) => append(pick(stores, i), trip, { messages: [aMessage('only', 'one')] })),
    )
    expect(same.reduce((sum, { added }) => sum + added, 0)).toBe(1)
    const keyed = await Promise.all(
      upTo(9).map((i) =>
        append(pick(stores, i), aKey('keyed'), { messages: [aMessage(`k${i}`, 'two')], appendKey: 'k' }),
      ),
    )
    expect(keyed.reduce((sum, { added }) => sum + added, 0)).toBe(1)
    expect(await readAll(pick(stores, 0), aKey('keyed'))).toHaveLength(1)
  })
})

test('the same id written to two conversations concurrently is a conflict for one of them', async () => {
  await withStores(2, async (stores) => {
    const outcomes = await Promise.allSettled(
      upTo(6).map((i) => append(pick(stores, i), aKey(`c${i}`), { messages: [aMessage('same')] })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'conflict' })
  })
})

test('every job is claimed once, however many workers claim at the same time', async () => {
  await withStores(3, async (stores) => {
    const first = pick(stores, 0)
    for (const i of upTo(12)) {
      await append(first, aKey(`c${i}`), { messages: many(`c${i}-`, 1) })
      await first.addJobs(aKey(`c${i}`), [{ kind: 'condense', key: 'k', body: {} }], at(1))
    }
    const claims = await Promise.all(
      upTo(24).map((i) => pick(stores, i).claimJob({ now: at(2), lease: `l${i}`, leaseMs: 60_000 })),
    )
    const claimed = claims.flatMap((job) => (job === undefined ? [] : [job.id]))
    expect(new Set(claimed).size).toBe(claimed.length)
    expect(claimed).toHaveLength(12)
    expect(await first.countJobs(HERE)).toEqual({ waiting: 0, running: 12, dead: 0 })
  })
})

test('following derived items by number misses nothing that was written in the meantime', async () => {
  await withStores(3, async (stores) => {
    const first = pick(stores, 0)
    for (const i of upTo(12)) await append(first, aKey(`c${i}`), { messages: many(`c${i}-`, 5) })
    const seen: string[] = []
    let after = 0
    const follow = async () => {
      const items = await first.derivedItems({ workspace: HERE, deriver: 'reader', kind: 'statement', after })
      seen.push(...items.map(({ key }) => key))
      after = items.at(-1)?.number ?? after
    }
    let isDone = false
    const following = (async () => {
      while (!isDone) await follow()
      await follow()
    })()
    await Promise.all(
      upTo(12).map((i) =>
        mustCommit(pick(stores, i), readingOf(aKey(`c${i}`)), {
          put: upTo(5).map((j) => anItem(`${i}-${j}`, { kind: 'statement' })),
        }),
      ),
    )
    isDone = true
    await following
    expect(seen).toHaveLength(60)
    expect(new Set(seen).size).toBe(60)
  })
})

test('jobs added while others end are always claimed', async () => {
  await withStores(3, async (stores) => {
    const first = pick(stores, 0)
    await append(first, trip, { messages: many('m', 1) })
    let ended = 0
    const work = async (store: Store, name: string) => {
      for (const i of upTo(10)) {
        await store.addJobs(trip, [{ kind: 'condense', key: `${name}${i}`, body: {} }], at(1))
        const job = await store.claimJob({ now: at(2), lease: `${name}${i}`, leaseMs: 60_000 })
        if (job !== undefined && (await store.finishJob({ id: job.id, lease: `${name}${i}` }))) ended += 1
      }
    }
    await Promise.all(stores.map((store, i) => work(store, `w${i}-`)))
    for (let job = await claimAny(first); job !== undefined; job = await claimAny(first)) ended += 1
    expect(ended).toBe(30)
  })
})

async function claimAny(store: Store): Promise<unknown> {
  const job = await store.claimJob({ now: at(3), lease: 'last', leaseMs: 60_000 })
  if (job !== undefined) await store.finishJob({ id: job.id, lease: 'last' })
  return job
}
