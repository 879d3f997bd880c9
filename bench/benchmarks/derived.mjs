import { openSqliteStore } from '../../dist/store/sqlite/sqlite-store.js'
import { median, timesMs } from '../measure.mjs'

const MESSAGES_EACH = 10
const THINGS_EACH = 10
const DIMENSIONS = 256
const WORKSPACE = 'default'
const LATER = new Date(Date.now() + 1e9)

export const derived = {
  name: 'derived',
  about:
    'what is kept of one message that was derived, and what is asked with every one, with much of it there',
  async run(fixture) {
    const { conversations } = fixture.sizes
    // Not waiting for the disk, which is the same for whatever is committed.
    const path = fixture.copyOf(await fixture.manyConversations(conversations))
    const store = await openSqliteStore({ path, durability: 'relaxed', busyTimeoutMs: 30_000 })
    await fill(store, conversations)
    const ask = async (what, call, most) => ({
      what,
      unit: 'ms',
      ours: median(await timesMs(fixture.repeats(500), call)),
      aim: { most },
    })
    const claim = { now: new Date(), lease: 'bench', leaseMs: 1000 }
    const statements = { workspace: WORKSPACE, deriver: 'facts', kind: 'statement' }
    const rows = [
      {
        what: 'commit what one message changed, processor time',
        unit: 'ms',
        ours: await timeCommits(store, fixture.repeats(4000)),
        aim: { most: 0.15 },
      },
      await ask(
        `has a thing of ${conversations * THINGS_EACH} changed?`,
        () => store.itemsVersion(statements),
        0.1,
      ),
      await ask(
        `is one of ${conversations} conversations yet to be read?`,
        () => store.listStale({ deriver: 'facts', version: 'v1', behind: 1, limit: 50 }),
        1,
      ),
      await ask(
        `claim one of ${conversations * THINGS_EACH} jobs, none due`,
        () => store.claimJob(claim),
        0.1,
      ),
      await ask('when is the next job due?', () => store.nextJobAt(), 0.1),
    ]
    await store.close()
    return rows
  },
}

const toKey = (i, deriver) => ({ workspace: WORKSPACE, conversation: String(i), deriver })
const toVector = (seed) => Float32Array.from({ length: DIMENSIONS }, (_, i) => Math.sin(seed * 7 + i * 3))

function toThing(kind, key, vector) {
  const body = { title: 'What this is about', count: 12, lastUsedAt: '2026-05-01T12:00:00.000Z', accesses: 3 }
  const made = { sources: ['a message'], madeBy: 'bench/1', madeAt: new Date(), tokens: 9 }
  return { kind, key, body, ...made, ...(vector !== undefined && { vector }) }
}

/** Every conversation was read to its end, has statements, and jobs that are not due. */
async function fill(store, conversations) {
  const erasureVersion = await store.erasureVersion(WORKSPACE)
  const numbers = Array.from({ length: THINGS_EACH }, (_, i) => String(i))
  const commit = (i) =>
    store.commitDerivation({
      ...toKey(i, 'facts'),
      generation: 1,
      version: 'v1',
      revision: 0,
      cursor: MESSAGES_EACH,
      state: null,
      put: numbers.map((key) => toThing('statement', key)),
      jobs: numbers.map((key) => ({ kind: `kind ${key}`, key, body: {} })),
      isActive: true,
      now: LATER,
      erasureVersion,
    })
  for (let from = 0; from < conversations; from += 200) {
    const some = Array.from({ length: Math.min(200, conversations - from) }, (_, i) => commit(from + i))
    await Promise.all(some)
  }
}

/** A reading with its vector, a topic with its own, an entity: for one message of one conversation after the other. */
async function timeCommits(store, count) {
  const erasureVersion = await store.erasureVersion(WORKSPACE)
  const state = {
    topics: Array.from({ length: 8 }, (_, i) => ({ begun: i, count: 9, title: 'What this is about' })),
  }
  const commits = Array.from({ length: count }, (_, i) => {
    const position = Math.floor(i / 50) % MESSAGES_EACH
    return {
      ...toKey((i % 50) + 50 * Math.floor(i / (50 * MESSAGES_EACH)), 'reading'),
      generation: 1,
      version: 'v1',
      revision: position,
      cursor: position + 1,
      state,
      readings: [{ position, topic: 0, vector: toVector(i) }],
      put: [toThing('topic', '0', toVector(i + 1)), toThing('entity', `name ${position % 3}`)],
      isActive: true,
      now: new Date(),
      erasureVersion,
    }
  })
  const before = process.cpuUsage()
  for (const commit of commits) if (!(await store.commitDerivation(commit))) throw new Error('refused')
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / count
}
