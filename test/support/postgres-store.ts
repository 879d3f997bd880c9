import pg from 'pg'
import { inject } from 'vitest'
import { DEFAULTS } from '../../src/options/options.ts'
import type { OpenSettings } from '../../src/store/postgres/open-database.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Store } from '../../src/store/store.ts'

let database: Promise<string> | undefined
let schemas = 0

/** The address of a database for the tests of this file. It is removed with the server. */
export function postgresUrl(): Promise<string> {
  database ??= makeDatabase()
  return database
}

async function makeDatabase(): Promise<string> {
  const server = inject('postgres')
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`
  await askServer(`CREATE DATABASE ${name}`)
  return `${server}/${name}`
}

/** Runs one statement as the superuser. */
export async function askServer(sql: string, url = `${inject('postgres')}/postgres`): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** A schema name that no other test uses. */
export const newSchema = (): string => `memory_${++schemas}`

export async function postgresSettings(more: Partial<OpenSettings> = {}): Promise<OpenSettings> {
  return {
    ...DEFAULTS.postgres,
    url: await postgresUrl(),
    schema: newSchema(),
    durability: 'full',
    busyTimeoutMs: 20_000,
    poolSize: 4,
    ...more,
  }
}

/** A new, empty store in its own schema. */
export async function openFreshPostgres(more: Partial<OpenSettings> = {}): Promise<Store> {
  return openPostgresStore(await postgresSettings(more))
}
