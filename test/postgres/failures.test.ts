import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { aKey, aMessage, append, many } from '../../conformance/store/samples.ts'
import { openMemory } from '../../src/index.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { askServer, openFreshPostgres, postgresSettings, postgresUrl } from '../support/postgres-store.ts'

/** The address with another user, password or database. */
async function addressWith(change: (url: URL) => void): Promise<string> {
  const url = new URL(await postgresUrl())
  change(url)
  return url.href
}

const failure = (location: string, postgres = {}) =>
  openMemory(location, { postgres }).then(
    async (memory) => {
      await memory.close()
      return undefined
    },
    (error) => error,
  )

test('an unreachable server gives an error with a hint', async () => {
  const error = await failure('postgres://someone:secret@127.0.0.1:1/memory', { connectTimeoutMs: 5000 })
  expect(error).toMatchObject({
    code: 'store-unreachable',
    message: expect.stringContaining('cannot be reached'),
  })
  expect(error.hint).toContain('host and port')
  expect(`${error.message} ${error.hint}`).not.toContain('secret')
})

test('a wrong password gives an error that does not contain it', async () => {
  const location = await addressWith((url) => {
    url.username = 'locked'
    url.password = 'wrong-password'
  })
  const error = await failure(location)
  expect(error).toMatchObject({ code: 'store-failed', message: expect.stringContaining('password') })
  expect(`${error.message} ${error.hint}`).not.toContain('wrong-password')
})

test('a missing database gives an error with a hint on how to create it', async () => {
  const location = await addressWith((url) => {
    url.pathname = '/nowhere'
  })
  const error = await failure(location)
  expect(error).toMatchObject({ code: 'store-failed', message: expect.stringContaining('no such database') })
  expect(error.hint).toContain('createdb')
})

test('a server with no connections left is reported as busy', async () => {
  await askServer('DROP ROLE IF EXISTS narrow')
  await askServer('CREATE ROLE narrow LOGIN CONNECTION LIMIT 1')
  const location = await addressWith((url) => {
    url.username = 'narrow'
  })
  const held = new pg.Client({ connectionString: location })
  await held.connect()
  try {
    expect(await failure(location)).toMatchObject({
      code: 'store-busy',
      hint: expect.stringContaining('poolSize'),
    })
  } finally {
    await held.end()
    await askServer('DROP ROLE narrow')
  }
})

test('a user who may not create tables gets a hint on what to grant', async () => {
  await askServer('DROP ROLE IF EXISTS guest')
  await askServer('CREATE ROLE guest LOGIN')
  try {
    const location = await addressWith((url) => {
      url.username = 'guest'
    })
    expect(await failure(location)).toMatchObject({
      code: 'store-failed',
      hint: expect.stringContaining('GRANT'),
    })
  } finally {
    await askServer('DROP ROLE guest')
  }
})

test('a conversation locked by another transaction is busy after a timeout, and nothing is written', async () => {
  const settings = await postgresSettings({ busyTimeoutMs: 200 })
  const store = await openPostgresStore(settings)
  const client = new pg.Client({ connectionString: settings.url })
  await client.connect()
  try {
    await append(store, aKey('trip'), { messages: many('m', 1) })
    await client.query(`BEGIN; SELECT 1 FROM ${settings.schema}.conversation FOR UPDATE`)
    await expect(append(store, aKey('trip'), { messages: [aMessage('late')] })).rejects.toMatchObject({
      code: 'store-busy',
    })
    await client.query('ROLLBACK')
    expect((await append(store, aKey('trip'), { messages: [aMessage('late')] })).added).toBe(1)
  } finally {
    await client.end()
    await store.close()
  }
})

test('when a server closes all connections, pending calls fail and later ones succeed', async () => {
  const store = await openFreshPostgres()
  try {
    await append(store, aKey('trip'), { messages: many('m', 1) })
    const [, name] = (await postgresUrl()).split(`${inject('postgres')}/`)
    await askServer(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND pid <> pg_backend_pid()`,
    )
    await new Promise((wake) => setTimeout(wake, 100))
    expect((await append(store, aKey('trip'), { messages: [aMessage('later')] })).added).toBe(1)
  } finally {
    await store.close()
  }
})

test('a schema of a newer version is rejected and left unchanged', async () => {
  const settings = await postgresSettings()
  await (await openPostgresStore(settings)).close()
  await askServer(`INSERT INTO ${settings.schema}.schema_version VALUES (99, 0)`, settings.url)
  await expect(openPostgresStore(settings)).rejects.toMatchObject({ code: 'store-too-new' })
})
