// Four server processes on one database, under load. Every few seconds one of them is killed and restarted; once the
// database crashes and recovers. Every acknowledged message exists once, at its position, and all jobs get done.

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type Memory, type Message, openMemory } from '../../src/index.ts'
import { startScriptedServer } from '../../src/model/scripted/scripted-server.ts'
import { dumpDerivedPostgres } from '../support/dump-derived-postgres.ts'
import { effort } from '../support/effort.ts'
import { type Cluster, startCluster } from '../support/postgres-cluster.ts'
import { askServer } from '../support/postgres-store.ts'
import { waitUntil } from '../support/wait-until.ts'
import { type Acknowledged, Follower, send, talk } from './clients.ts'
import { Fleet } from './fleet.ts'

const SERVERS = 4
const CLIENTS = 6
const CONVERSATIONS = ['lisbon', 'porto', 'faro', 'sintra']
const LOAD_MS = effort({ short: 10_000, long: 60_000 })
const LEAST_KILLS = 3
const PAUSE_MS = 2000

/** Short, so that others take over the work of a killed process during the test. */
const SETTINGS = {
  RECOLLECT_JOBS_LEASE_MS: '3000',
  RECOLLECT_DERIVE_RESCAN_INTERVAL_MS: '1000',
  RECOLLECT_POSTGRES_POOL_SIZE: '5',
}

/** Kills one server after the other, and the database once in between. */
async function disturb(fleet: Fleet, cluster: Cluster): Promise<number> {
  const started = Date.now()
  let hasCrashed = false
  let kills = 0
  for (; kills < LEAST_KILLS || Date.now() - started < LOAD_MS; kills++) {
    await fleet.kill(kills % SERVERS)
    await fleet.revive(kills % SERVERS)
    if (!hasCrashed && kills >= 1) {
      cluster.restart('immediate')
      hasCrashed = true
    }
    await sleep(PAUSE_MS)
  }
  return kills
}

async function readAll(memory: Memory, conversation: string): Promise<readonly Message[]> {
  const messages: Message[] = []
  for await (const message of memory.conversation(conversation).messages.list()) messages.push(message)
  return messages
}

/** Vectors are made by jobs: each message has one, no matter which server started it. */
async function countVectors(url: string): Promise<unknown> {
  return askServer(
    `SELECT c.id, count(r.vector)::int AS count FROM recollect.conversation c
     JOIN recollect.derivation d ON d.workspace = c.workspace AND d.conversation = c.number AND d.deriver = 'vectors'
     JOIN recollect.reading r ON r.workspace = d.workspace AND r.derivation = d.number GROUP BY 1 ORDER BY 1`,
    url,
  )
}

function expectKept(
  acknowledged: readonly Acknowledged[],
  kept: ReadonlyMap<string, readonly Message[]>,
): void {
  for (const [conversation, messages] of kept) {
    expect(messages.map(({ position }) => position)).toEqual(messages.map((_, i) => i))
    const own = acknowledged.filter((one) => one.conversation === conversation)
    const contents = messages.map(({ content }) => content)
    // Each sentence is sent once, so one that occurs twice was duplicated.
    expect(new Set(contents).size).toBe(contents.length)
    expect(contents.toSorted()).toEqual(own.map(({ content }) => content).toSorted())
    for (const { id, position, content } of own) expect(messages[position]).toMatchObject({ id, content })
  }
}

test('servers are killed and the database crashes: nothing is lost or duplicated, and all jobs get done', {
  timeout: 400_000,
}, async () => {
  const cluster = await startCluster({ settings: ['max_connections=60'] })
  onTestFinished(() => cluster.remove())
  const embedder = await startScriptedServer()
  onTestFinished(() => embedder.close())
  const url = `${cluster.url}/memory`
  await askServer('CREATE DATABASE memory', `${cluster.url}/postgres`)
  const models = { embeddings: { url: `${embedder.url}/v1`, model: 'words' } }
  const fleet = new Fleet(url, {
    ...SETTINGS,
    RECOLLECT_EMBEDDING_URL: models.embeddings.url,
    RECOLLECT_EMBEDDING_MODEL: models.embeddings.model,
  })
  await fleet.start(SERVERS)
  expect(await askServer('SELECT count(*)::int AS count FROM recollect.schema_version', url)).toHaveLength(1)

  const stopping = new AbortController()
  const followers = [0, 2].map((at) => new Follower(fleet, { at, conversations: CONVERSATIONS }))
  const talking = Array.from({ length: CLIENTS }, (_, i) =>
    talk(fleet, { name: `client${i}`, conversations: CONVERSATIONS, signal: stopping.signal }),
  )
  const kills = await disturb(fleet, cluster)
  // The last one is not restarted: the others finish its work.
  await fleet.kill(kills % SERVERS)
  stopping.abort()
  const acknowledged = (await Promise.all(talking)).flat()
  for (const conversation of CONVERSATIONS) {
    const contents = [`The last of ${conversation}.`]
    acknowledged.push(...(await send(fleet, { conversation, contents, key: `last-${conversation}` })))
  }

  const isDone = async () => {
    const response = await fetch(`${fleet.anyUrl}/api/health`)
    const health = (await response.json()) as { pendingJobs: number; deadJobs: number }
    expect(health.deadJobs).toBe(0)
    return health.pendingJobs === 0
  }
  await waitUntil(isDone, `the work to be done\n${fleet.printed}`, 60_000)

  const memory = await openMemory(url, { models, postgres: { poolSize: 3 } })
  onTestFinished(() => memory.close())
  const kept = new Map<string, readonly Message[]>()
  for (const conversation of CONVERSATIONS) kept.set(conversation, await readAll(memory, conversation))
  expectKept(acknowledged, kept)
  for (const follower of followers) {
    const isUpToDate = () => CONVERSATIONS.every((one) => follower.counts.get(one) === kept.get(one)?.length)
    await waitUntil(isUpToDate, 'a follower to know the last messages')
    await follower.leave()
  }
  const problems = (await memory.maintenance.check()).filter(({ problem }) => problem !== undefined)
  expect(problems).toEqual([])
  expect(await askServer('SELECT 1 FROM recollect.job', url)).toEqual([])
  expect(await countVectors(url)).toEqual(
    CONVERSATIONS.toSorted().map((id) => ({ id, count: kept.get(id)?.length })),
  )
  const derived = await dumpDerivedPostgres(url)
  await memory.maintenance.rebuild()
  await memory.whenDerived()
  expect(derived).toEqual(await dumpDerivedPostgres(url))
  console.info(
    `${kills + 1} servers killed, ${acknowledged.length} messages acknowledged, ${followers.map(({ events }) => events).join(' and ')} events`,
  )
})
