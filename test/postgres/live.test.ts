// Live updates between servers, simulated by several stores with separate connections.

import { expect, onTestFinished, test } from 'vitest'
import { aKey, aMessage, append, ELSEWHERE, HERE, many } from '../../conformance/store/samples.ts'
import { findPgBouncer } from '../../scripts/system-programs.mjs'
import { workspaceId } from '../../src/domain/ids.ts'
import { openMemory } from '../../src/index.ts'
import type { Change } from '../../src/store/changes.ts'
import type { OpenSettings } from '../../src/store/postgres/open-database.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Store } from '../../src/store/store.ts'
import { startPgBouncer } from '../support/pgbouncer.ts'
import { askServer, newSchema, postgresSettings, postgresUrl } from '../support/postgres-store.ts'
import { waitUntil } from '../support/wait-until.ts'

async function openClosing(settings: OpenSettings): Promise<Store> {
  const store = await openPostgresStore(settings)
  onTestFinished(() => store.close())
  return store
}

async function openTwo(): Promise<readonly [Store, Store]> {
  const settings = await postgresSettings()
  return [await openClosing(settings), await openClosing(settings)]
}

async function watch(store: Store, workspace = HERE) {
  const told: Change[] = []
  const end = await store.watch({ workspace, onChange: (change) => told.push(change) })
  const names = () => told.map(({ kind, id }) => `${kind} ${id ?? ''}`.trim())
  return { told, names, end, hears: (name: string) => waitUntil(() => names().includes(name), name) }
}

test('writes on one server are reported to watchers on another', async () => {
  const [here, there] = await openTwo()
  const [watching, elsewhere] = [await watch(there), await watch(there, ELSEWHERE)]
  await append(here, aKey('trip'), { messages: [aMessage('a')] })
  await watching.hears('conversation trip')
  await append(here, aKey('work', ELSEWHERE), { messages: [aMessage('b')] })
  await elsewhere.hears('conversation work')
  expect(watching.told.every(({ workspace }) => workspace === HERE)).toBe(true)
  expect(elsewhere.told.every(({ workspace }) => workspace === ELSEWHERE)).toBe(true)
})

test('the last writes of a server are reported before it closes', async () => {
  const settings = await postgresSettings()
  const [here, there] = [await openPostgresStore(settings), await openClosing(settings)]
  const watching = await watch(there)
  await Promise.all(many('c', 30).map(({ id }) => append(here, aKey(id), { messages: [aMessage(id)] })))
  await here.close()
  for (const { id } of many('c', 30)) await watching.hears(`conversation ${id}`)
})

test('names with any character are reported unchanged', async () => {
  const [here, there] = await openTwo()
  const watching = await watch(there)
  const strange = '里斯本 "\u0000\ud800 \\'
  await append(here, aKey(strange), { messages: [aMessage('a')] })
  await watching.hears(`conversation ${strange}`)
})

test('a server that loses its listening connection reports "everything" to its clients and listens again', async () => {
  const [here, there] = await openTwo()
  const watching = await watch(there)
  const name = new URL(await postgresUrl()).pathname.slice(1)
  const listening = `datname = '${name}' AND application_name = 'recollect listens'`
  await askServer(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${listening}`)
  await watching.hears('everything')
  await append(here, aKey('later'), { messages: [aMessage('later')] })
  await watching.hears('conversation later')
})

test('a server listens only while there are watchers, and only to what they watch', async () => {
  const [here, there] = await openTwo()
  const first = await watch(there)
  const second = await watch(there)
  first.end()
  await append(here, aKey('trip'), { messages: [aMessage('a')] })
  await second.hears('conversation trip')
  second.end()
  const again = await watch(there)
  await append(here, aKey('again'), { messages: [aMessage('b')] })
  await again.hears('conversation again')
  expect(first.told).toEqual([])
  expect(second.names()).not.toContain('conversation again')
})

test('a memory reports what another memory derived, by ids only', async () => {
  const [url, schema] = [await postgresUrl(), newSchema()]
  const open = () => openMemory(url, { workspace: 'team', postgres: { schema, poolSize: 3 } })
  const [here, there] = [await open(), await open()]
  onTestFinished(async () => void (await Promise.all([here.close(), there.close()])))
  const kinds = new Set<string>()
  await there.watch((change) => {
    expect(Object.keys(change).every((key) => ['kind', 'id'].includes(key))).toBe(true)
    kinds.add(`${change.kind} ${change.id ?? ''}`.trim())
  })
  await here.conversation('trip').record({ role: 'user', content: 'I am vegetarian.' })
  await waitUntil(() => kinds.has('knowledge') && kinds.has('conversation trip'), 'what was derived')
  expect(there.workspaceId).toBe(workspaceId('team'))
})

const program = findPgBouncer()
test.skipIf(program === undefined)(
  'behind a pooler, notifications use the direct connection, or doctor reports that they are missing',
  async () => {
    const direct = await postgresUrl()
    const pooler = await startPgBouncer(program ?? '', direct)
    onTestFinished(() => pooler.stop())
    const settings = { ...(await postgresSettings()), url: pooler.url }
    const deaf = await openClosing(settings)
    const hearing = await openClosing({ ...settings, directUrl: direct })
    const [nothing, all] = [await watch(deaf), await watch(hearing)]
    const writer = await openClosing(settings)
    await append(writer, aKey('trip'), { messages: [aMessage('a')] })
    await all.hears('conversation trip')
    expect(nothing.told).toEqual([])
    const tell = async (store: Store) => (await store.check()).map(({ check }) => check).join('\n')
    expect(await tell(deaf)).toContain('postgres.directUrl')
    expect(await tell(hearing)).toContain('clients are notified of writes by other servers')
  },
)
