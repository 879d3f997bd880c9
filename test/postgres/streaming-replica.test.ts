// A real replica of a real primary.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Memory, openMemory } from '../../src/index.ts'
import { startServer } from '../../src/server/start-server.ts'
import { findPostgres } from '../support/find-postgres.ts'
import { askAt } from '../support/http-server.ts'
import { type Cluster, startCluster } from '../support/postgres-cluster.ts'
import { askServer } from '../support/postgres-store.ts'
import { waitUntil } from '../support/wait-until.ts'

async function startBoth(): Promise<readonly [Cluster, Cluster]> {
  const primary = await startCluster({ settings: ['max_wal_senders=4'] })
  onTestFinished(() => primary.remove())
  await askServer('CREATE DATABASE memory', `${primary.url}/postgres`)
  const replica = await startCluster({ following: primary })
  onTestFinished(() => replica.remove())
  return [primary, replica]
}

async function finds(memory: Memory, words: string): Promise<boolean> {
  const { items } = await memory.recall(words, { kinds: ['message'] })
  return items.some(({ text }) => text.includes(words))
}

const findProblems = async (memory: Memory) =>
  (await memory.maintenance.check()).flatMap(({ problem }) => (problem === undefined ? [] : [problem]))

const canCopy = existsSync(join(findPostgres(), 'pg_basebackup'))
if (!canCopy) console.info('a streaming replica: skipped, since there is no pg_basebackup')

test.skipIf(!canCopy)('recall reads from the replica, lags with it, and works without it', async () => {
  const [primary, replica] = await startBoth()
  const memory = await openMemory(`${primary.url}/memory`, {
    postgres: { replicaUrl: `${replica.url}/memory`, poolSize: 3 },
  })
  onTestFinished(() => memory.close())
  const trip = memory.conversation('trip')
  await trip.record({ role: 'user', content: 'The lighthouse of Cascais is white and blue.' })
  await waitUntil(() => finds(memory, 'lighthouse'), 'the replica to follow')
  expect(await findProblems(memory)).toEqual([])
  expect((await memory.maintenance.check()).map(({ check }) => check).join()).toContain(
    'recall reads from the replica',
  )

  await askServer('SELECT pg_wal_replay_pause()', `${replica.url}/memory`)
  await waitUntil(async () => {
    const [row] = await askServer('SELECT pg_get_wal_replay_pause_state() AS state', `${replica.url}/memory`)
    return (row as { state: string }).state === 'paused'
  }, 'the replica to stand still')
  await trip.record({ role: 'user', content: 'The funicular of Bica is yellow.' })
  expect(await finds(memory, 'lighthouse')).toBe(true)
  expect(await finds(memory, 'funicular')).toBe(false)
  // The last message is in the conversation itself, which is read from the primary.
  const { messages } = await trip.context('What colour is it?', { budgetTokens: 2000 })
  expect(JSON.stringify(messages)).toContain('funicular')

  replica.stop()
  expect(await finds(memory, 'funicular')).toBe(true)
  expect((await findProblems(memory)).join()).toContain('the replica does not respond')

  replica.start()
  await waitUntil(async () => (await findProblems(memory)).length === 0, 'the replica to be asked again')
  await waitUntil(() => finds(memory, 'funicular'), 'the replica to catch up')
})

test.skipIf(!canCopy)(
  'losing the replica shows in the metrics and in the log, and so does its return',
  async () => {
    const [primary, replica] = await startBoth()
    const memory = await openMemory(`${primary.url}/memory`, {
      postgres: { replicaUrl: `${replica.url}/memory`, poolSize: 3 },
    })
    onTestFinished(() => memory.close())
    const lines: string[] = []
    const logTo = { write: (line: string) => void lines.push(line) }
    const server = await startServer(memory, { port: 0, logLevel: 'info', logTo })
    onTestFinished(() => server.close())
    const ask = askAt(server.url)
    const recall = () => ask('POST', '/api/recall', { body: { query: 'lighthouse' } })
    const metric = async (name: string) => {
      const { text } = await ask('GET', '/metrics')
      return Number(new RegExp(`^recollect_replica_${name} (.*)$`, 'm').exec(text)?.[1])
    }
    expect((await recall()).status).toBe(200)
    expect([await metric('up'), await metric('failures_total')]).toEqual([1, 0])
    expect(memory.maintenance.replica()).toEqual({ isUp: true, failures: 0 })

    replica.stop()
    expect((await recall()).status).toBe(200)
    expect(await metric('up')).toBe(0)
    expect(await metric('failures_total')).toBeGreaterThan(0)
    expect(memory.maintenance.replica()?.problem).toContain('recall reads from the primary')
    const told = () => lines.filter((line) => line.includes('the replica'))
    await recall()
    expect(told()).toHaveLength(1)
    expect(told()[0]).toContain('the replica does not respond')

    replica.start()
    await waitUntil(async () => (await recall()).status === 200 && (await metric('up')) === 1, 'the replica')
    expect(told().at(-1)).toContain('the replica is available again')
  },
)

test.skipIf(!canCopy)('without a replica there is no replica status', async () => {
  const primary = await startCluster()
  onTestFinished(() => primary.remove())
  const memory = await openMemory(`${primary.url}/postgres`)
  onTestFinished(() => memory.close())
  expect(memory.maintenance.replica()).toBe(undefined)
})
