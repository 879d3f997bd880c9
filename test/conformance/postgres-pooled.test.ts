// The same promises behind a pooler that runs every transaction in another session.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aKey, aMessage, append, many } from '../../conformance/store/samples.ts'
import { findPgBouncer } from '../../scripts/system-programs.mjs'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { checkStore } from '../support/check-store.ts'
import { type Pooler, startPgBouncer } from '../support/pgbouncer.ts'
import { askServer, openFreshPostgres, postgresSettings, postgresUrl } from '../support/postgres-store.ts'
import { waitUntil } from '../support/wait-until.ts'

const program = findPgBouncer()
if (program === undefined)
  console.info('PostgreSQL behind PgBouncer: skipped, since PgBouncer is not installed')

describe.skipIf(program === undefined)('behind PgBouncer in transaction mode', () => {
  let pooler: Pooler

  beforeAll(async () => {
    pooler = await startPgBouncer(program ?? '', await postgresUrl())
  })
  afterAll(() => pooler.stop())

  checkStore('PostgreSQL behind PgBouncer', () => openFreshPostgres({ url: pooler.url }))

  test('settings apply to every transaction, and to no other client', async () => {
    const settings = await postgresSettings({ url: pooler.url, statementTimeoutMs: 4321, poolSize: 8 })
    const store = await openPostgresStore(settings)
    try {
      await Promise.all(many('c', 20).map(({ id }) => append(store, aKey(id), { messages: [aMessage(id)] })))
      const rows = await Promise.all(
        many('q', 20).map(() =>
          askServer(
            `SELECT current_setting('statement_timeout') AS timeout, current_setting('search_path') AS path`,
            pooler.url,
          ),
        ),
      )
      for (const row of rows.flat()) expect(row).toEqual({ timeout: '0', path: '"$user", public' })
    } finally {
      await store.close()
    }
  })

  test('an erase completes through the pooler', async () => {
    const store = await openFreshPostgres({ url: pooler.url })
    try {
      await append(store, aKey('trip'), { messages: many('m', 3) })
      await store.eraseConversations([aKey('trip')])
      await waitUntil(() => store.scrub(), 'the erase to be finished')
    } finally {
      await store.close()
    }
  })
})
