import { expect, test } from 'vitest'
import { aKey, aMessage, append, HERE } from '../../conformance/store/samples.ts'
import { openPool } from '../../src/store/postgres/driver.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { postgresSettings } from '../support/postgres-store.ts'
import { recordingPool } from '../support/recording-pool.ts'

test('recall reads from the replica, and everything else goes to the primary', async () => {
  const settings = await postgresSettings()
  const replicaUrl = `${settings.url}?application_name=replica`
  const [primary, replica] = [new Set<string>(), new Set<string>()]
  const store = await openPostgresStore({
    ...settings,
    replicaUrl,
    openPool: (pool) => recordingPool(pool.url === replicaUrl ? replica : primary)(pool),
  })
  try {
    await append(store, aKey('trip'), { messages: [aMessage('a', 'Lisbon in May')] })
    expect(replica.size).toBe(0)
    primary.clear()
    const { locators } = await store.findByWords({ workspace: HERE, allOf: [['lisbon']], limit: 5 })
    expect(await store.getContents(HERE, locators)).toHaveLength(1)
    await store.getMessageMeta(HERE, locators)
    // Other servers are notified of what was recorded in the meantime.
    const asked = [...primary].filter((sql) => !/^BEGIN|^COMMIT|pg_notify/.test(sql))
    expect(asked).toEqual([])
    expect([...replica].every((sql) => !/INSERT|UPDATE|DELETE/.test(sql))).toBe(true)
    await store.messages({ ...aKey('trip'), limit: 5 })
    expect(primary.size).toBeGreaterThan(0)
  } finally {
    await store.close()
  }
})

test('a connection opened for the store has its settings', async () => {
  const settings = await postgresSettings({ durability: 'relaxed', statementTimeoutMs: 1234 })
  const prepared: string[] = []
  const store = await openPostgresStore({
    ...settings,
    openPool: (pool) => {
      prepared.push(...pool.prepare)
      return openPool(pool)
    },
  })
  await store.close()
  expect(prepared.join(';')).toContain('synchronous_commit = off')
  expect(prepared.join(';')).toContain('statement_timeout = 1234')
  expect(prepared.join(';')).toContain(`search_path = "${settings.schema}"`)
})
