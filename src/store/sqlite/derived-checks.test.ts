// Damages derivations, jobs and edits on purpose, and tests what `check` reports. A rebuild repairs whatever can be
// derived again.

import { expect, test } from 'vitest'
import {
  aJob,
  anEdit,
  anItem,
  aVector,
  manyReadings,
  mustClaim,
  mustCommit,
  saveEdit,
  sourcesOf,
} from '../../../conformance/store/derived-samples.ts'
import {
  aKey,
  append,
  at,
  ELSEWHERE,
  findProblems,
  HERE,
  many,
  readAll,
} from '../../../conformance/store/samples.ts'
import { openStore, runPlain } from '../../../test/support/sqlite-file.ts'
import { temporaryPath } from '../../../test/support/temporary-folder.ts'
import type { Finding, Store } from '../store.ts'

interface Damage {
  readonly what: string
  readonly damage: readonly string[]
  /** The one check that must fail, and part of its message. */
  readonly check: string
  readonly problem: string
  readonly remedy: 'recollect rebuild' | 'backup' | 'recollect jobs --retry'
}

const rebuildable = (damage: Omit<Damage, 'remedy'>): Damage => ({ ...damage, remedy: 'recollect rebuild' })

const UNREADABLE = {
  check: 'all derived data can be read',
  problem: '1 derivations contain unreadable data',
}
const POINTS_BEYOND = {
  check: 'readings refer to messages that were read',
  problem: '1 derivations have readings that refer to unread messages',
}
const OUT_OF_ORDER = {
  check: 'job queues are in order',
  problem: 'the jobs of 1 conversations are out of order',
}

const SKETCHES = {
  check: 'every vector has a sketch',
  problem: '1 vector sketches are missing or orphaned',
}

const DAMAGES: readonly Damage[] = [
  rebuildable({
    what: 'a cursor beyond the last message',
    damage: ["UPDATE derivation SET cursor = 6 WHERE conversation = 1 AND deriver = 'facts'"],
    check: 'derivations have read only existing messages',
    problem: '1 derivations claim to have read messages that do not exist',
  }),
  rebuildable({
    what: 'a message without its reading',
    damage: ['DELETE FROM reading WHERE position = 2 AND derivation = 1'],
    check: 'every message that was read has a reading',
    problem: '1 derivations have missing readings',
  }),
  rebuildable({
    what: 'a derivation that has no readings at all',
    damage: ['DELETE FROM reading WHERE derivation = 1'],
    check: 'every message that was read has a reading',
    problem: '1 derivations have missing readings',
  }),
  rebuildable({
    what: 'a reading of a message that was not read',
    damage: ['INSERT INTO reading (place, topic) VALUES ((1 << 24) + 5, 0)'],
    ...POINTS_BEYOND,
  }),
  rebuildable({
    what: 'a topic that begins after all that was read',
    damage: ['UPDATE reading SET topic = 5 WHERE position = 2 AND derivation = 1'],
    ...POINTS_BEYOND,
  }),
  rebuildable({
    what: 'two generations that readers see',
    damage: ['DROP INDEX derivation_active', 'UPDATE derivation SET is_active = 1'],
    check: 'each deriver has one active derivation per conversation',
    problem: '2 derivations are active together with another one of the same deriver',
  }),
  rebuildable({
    what: 'a derivation in another workspace than its conversation',
    damage: [
      "UPDATE derivation SET workspace = 2 WHERE deriver = 'facts'",
      "UPDATE derived SET workspace = 2 WHERE derivation IN (SELECT number FROM derivation WHERE deriver = 'facts')",
    ],
    check: 'derivations are in the workspace of their conversation',
    problem: '1 derivations are in a different workspace than their conversation',
  }),
  rebuildable({
    what: 'a thing in another workspace than its derivation',
    damage: ["UPDATE derived SET workspace = 2 WHERE key = 'lives in'"],
    check: 'derivations are in the workspace of their conversation',
    problem: '1 derivations are in a different workspace than their conversation',
  }),
  ...[
    "UPDATE derived SET body = '{' WHERE key = 'lives in'",
    "UPDATE derived SET sources = 'm0' WHERE key = '0'",
  ].map((sql) =>
    rebuildable({
      what: `a thing that is no JSON (${sql.slice(19, 27).trim()})`,
      damage: [sql],
      ...UNREADABLE,
    }),
  ),
  rebuildable({
    what: 'a state that is no JSON',
    damage: ["UPDATE derivation SET state = 'oops' WHERE deriver = 'facts' AND conversation = 1"],
    ...UNREADABLE,
  }),
  rebuildable({
    what: 'half a vector',
    damage: ["UPDATE derived SET vector = x'010203' WHERE key = '0'"],
    ...UNREADABLE,
  }),
  rebuildable({
    what: 'a reading of no derivation',
    damage: ['INSERT INTO reading (place, topic) VALUES (999 << 24, 0)'],
    check: 'every reading belongs to a derivation',
    problem: '1 readings belong to a missing derivation',
  }),
  rebuildable({
    what: 'a vector without its sketch',
    damage: ['DELETE FROM sketch WHERE place = (1 << 24) + 2'],
    ...SKETCHES,
  }),
  rebuildable({
    what: 'a sketch that is cut off',
    damage: ["UPDATE sketch SET bits = x'00' WHERE place = (1 << 24) + 2"],
    ...SKETCHES,
  }),
  rebuildable({
    what: 'a sketch of no derivation',
    damage: ["INSERT INTO sketch (place, bits) VALUES (999 << 24, x'00')"],
    ...SKETCHES,
  }),
  rebuildable({
    what: 'a conversation that would be forgotten by a deriver',
    damage: ['DELETE FROM unread'],
    check: 'conversations with unread messages are scheduled for derivation',
    problem: '1 conversations would not be derived completely',
  }),
  rebuildable({
    what: 'jobs of which none has its turn',
    damage: ["UPDATE job SET is_next = 0 WHERE kind = 'sum-up'"],
    ...OUT_OF_ORDER,
  }),
  rebuildable({
    what: 'jobs of which two have their turn',
    damage: ["UPDATE job SET is_next = 1 WHERE kind = 'sum-up'"],
    ...OUT_OF_ORDER,
  }),
  rebuildable({
    what: 'two jobs of a kind that run at once',
    damage: ["UPDATE job SET is_next = 1, state = 'running', lease = 'x' WHERE kind = 'sum-up'"],
    ...OUT_OF_ORDER,
  }),
  rebuildable({
    what: 'a job that is no JSON',
    damage: ["UPDATE job SET body = '{' WHERE key = 'b'"],
    check: 'every job can be read',
    problem: '1 jobs are damaged',
  }),
  {
    what: 'an edit that is no JSON',
    damage: ["UPDATE edit SET body = '{' WHERE key = 'a'"],
    check: 'every edit can be read',
    problem: '1 edits are damaged',
    remedy: 'backup',
  },
  {
    what: 'an edit in another workspace than its conversation',
    damage: ["UPDATE edit SET workspace = 2 WHERE key = 'a'"],
    check: 'every edit can be read',
    problem: '1 edits are damaged',
    remedy: 'backup',
  },
  {
    what: 'jobs that were given up',
    damage: [
      "UPDATE job SET state = 'dead', is_next = 0, lease = NULL, error = 'the model is gone' WHERE kind = 'sum-up'",
    ],
    check: 'no job failed for good',
    problem: '2 "sum-up" jobs failed too often: the model is gone',
    remedy: 'recollect jobs --retry',
  },
]

const trip = aKey('trip')

/** Two conversations of five messages; one was read by two derivers and has another generation in progress. */
async function openFilled(path: string): Promise<Store> {
  const store = await openStore({ path })
  await append(store, trip, { messages: many('m', 5) })
  await append(store, aKey('trip', ELSEWHERE), { messages: many('m', 5) })
  const topic = anItem('0', { kind: 'topic', vector: aVector(1) })
  const reading = { ...trip, deriver: 'reading' }
  await mustCommit(store, reading, { cursor: 5, readings: manyReadings(5), put: [topic] })
  await mustCommit(store, { ...trip, deriver: 'facts' }, { cursor: 5, put: [anItem('lives in')] })
  await mustCommit(store, reading, { generation: 2, cursor: 2, readings: manyReadings(2), isActive: false })
  const theirs = { ...aKey('trip', ELSEWHERE), deriver: 'reading' }
  await mustCommit(store, theirs, { cursor: 3, readings: manyReadings(3) })
  await mustCommit(store, { ...theirs, deriver: 'facts' }, { cursor: 5 })
  await store.addJobs(trip, [aJob('a'), aJob('b'), aJob('c', { kind: 'title' })], at(0))
  await mustClaim(store, 1)
  await saveEdit(store, anEdit('a', { conversation: trip.conversation, ...sourcesOf('m1') }))
  return store
}

async function findDamage({ damage }: Damage): Promise<{ store: Store; problems: readonly Finding[] }> {
  const path = temporaryPath()
  const store = await openFilled(path)
  expect(await findProblems(store)).toEqual([])
  runPlain(path, ...damage)
  return { store, problems: await findProblems(store) }
}

const byName = (damages: readonly Damage[]) => damages.map((damage) => [damage.what, damage] as const)

test.each(byName(DAMAGES))('%s is detected, and nothing else is reported', async (_what, damage) => {
  const { problems } = await findDamage(damage)
  const { check, problem, remedy } = damage
  expect(problems).toEqual([{ check, problem, remedy: expect.stringContaining(remedy) }])
})

const mendable = DAMAGES.filter(({ remedy }) => remedy === 'recollect rebuild')
test.each(byName(mendable))('%s is repaired by a rebuild, and intact data is kept', async (_what, damage) => {
  const { store } = await findDamage(damage)
  await store.rebuild()
  expect(await findProblems(store)).toEqual([])
  expect(await readAll(store, trip)).toHaveLength(5)
  const theirs = await store.findDerivation({ ...aKey('trip', ELSEWHERE), deriver: 'reading' })
  expect(theirs?.cursor).toBe(3)
  expect(await store.edits({ workspace: HERE })).toHaveLength(1)
  const keys = await store.listStale({ deriver: 'reading', version: 'v1', behind: 1, limit: 10 })
  expect(keys).toContainEqual(aKey('trip', ELSEWHERE))
})

test('derivations dropped by a rebuild are listed as unread', async () => {
  const [first] = DAMAGES
  const { store } = await findDamage(first as Damage)
  expect(await store.listStale({ deriver: 'facts', version: 'v1', behind: 1, limit: 10 })).toEqual([])
  await store.rebuild()
  expect(await store.findDerivation({ ...trip, deriver: 'facts' })).toBeUndefined()
  expect(await store.listStale({ deriver: 'facts', version: 'v1', behind: 1, limit: 10 })).toEqual([trip])
})

test('each cause of dead jobs is reported once, with the number of jobs', async () => {
  const store = await openStore()
  await append(store, trip, { messages: many('m', 3) })
  const kinds = ['a', 'b', 'c', 'd'].map((key) => aJob(key, { kind: `kind ${key < 'c' ? 1 : key}` }))
  await store.addJobs(trip, kinds, at(0))
  for (const error of ['gone', 'gone', 'too long', 'gone'])
    await store.failJob(await mustClaim(store, 1), { error })
  expect((await findProblems(store)).map(({ problem }) => problem)).toEqual([
    '2 "kind 1" jobs failed too often: gone',
    '1 "kind c" job failed too often: too long',
    '1 "kind d" job failed too often: gone',
  ])
  await store.reviveJobs(HERE, at(2))
  expect(await findProblems(store)).toEqual([])
})
