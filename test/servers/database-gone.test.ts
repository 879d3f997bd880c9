// The database of a server goes down and comes back: requests get a 503 with Retry-After, and nothing else.

import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../../src/index.ts'
import { withTuning } from '../../src/options/resolve-options.ts'
import { startServer } from '../../src/server/start-server.ts'
import { askAt } from '../support/http-server.ts'
import { startCluster } from '../support/postgres-cluster.ts'
import { waitUntil } from '../support/wait-until.ts'

const SAID = { id: 'first', role: 'user', content: 'We are in Lisbon in May.' }

async function serveOverCluster() {
  const cluster = await startCluster()
  onTestFinished(() => cluster.remove())
  const memory = await openMemory(
    `${cluster.url}/postgres`,
    withTuning({ postgres: { poolSize: 3 } }, { postgres: { connectTimeoutMs: 2000 } }),
  )
  onTestFinished(() => memory.close())
  const lines: string[] = []
  const logTo = { write: (line: string) => void lines.push(line) }
  const server = await startServer(memory, { port: 0, logLevel: 'warn', logTo })
  onTestFinished(() => server.close())
  return { cluster, memory, lines, ask: askAt(server.url) }
}

const REQUESTS = [
  ['POST', '/api/conversations/trip/messages', { role: 'user', content: 'Are you there?' }],
  ['GET', '/api/conversations/trip/messages', undefined],
  ['GET', '/api/conversations', undefined],
  ['POST', '/api/recall', { query: 'Lisbon' }],
  ['POST', '/api/conversations/trip/context', { query: 'Where are we?' }],
  ['GET', '/api/ready', undefined],
  ['GET', '/api/health', undefined],
  ['GET', '/metrics', undefined],
] as const

test('while the database is down, servers respond with 503 and Retry-After, and recover when it is back', async () => {
  const { cluster, memory, lines, ask } = await serveOverCluster()
  const record = () => ask('POST', '/api/conversations/trip/messages', { body: SAID })
  expect((await record()).status).toBe(201)
  cluster.stop()
  // Twice: the first requests find broken connections, the second ones none.
  for (const [method, path, body] of [...REQUESTS, ...REQUESTS]) {
    const answer = await ask(method, path, { ...(body && { body }) })
    expect([path, answer.status, answer.body.error.code]).toEqual([path, 503, 'store-unreachable'])
    expect(answer.body.error.hint).toMatch(/try again|check host and port/)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect(lines.join()).toContain('cannot be reached')
  expect(lines.filter((line) => line.includes('"bug"'))).toEqual([])
  cluster.start()
  await waitUntil(async () => (await ask('GET', '/api/ready')).status === 200, 'the server to be ready again')
  // A message that is sent again exists once.
  expect((await record()).status).toBe(201)
  const { body } = await ask('GET', '/api/conversations/trip/messages')
  expect(body.messages.map(({ content }: { content: string }) => content)).toEqual([SAID.content])
  expect((await ask('POST', '/api/recall', { body: { query: 'Lisbon' } })).body.items).toHaveLength(1)
  await memory.whenDerived()
  expect((await ask('GET', '/api/health')).body).toMatchObject({ status: 'ok', pendingJobs: 0 })
})
