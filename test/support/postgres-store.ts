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

/** Schemas of closed stores. Emptying one is several times faster than creating one. */
const idleSchemas: string[] = []

/** A schema for one test: with empty tables, or without any. */
export async function takeSchema(): Promise<string> {
  const schema = idleSchemas.pop()
  if (schema === undefined) return newSchema()
  await askServer(
    `DO $$ DECLARE name TEXT; BEGIN
       SET LOCAL session_replication_role = replica;
       FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = '${schema}' AND tablename <> 'schema_version'
       LOOP EXECUTE format('DELETE FROM ${schema}.%I', name); END LOOP;
     END $$`,
    await postgresUrl(),
  )
  return schema
}

/** For a schema that nothing uses any more. */
export const releaseSchema = (schema: string): unknown => idleSchemas.push(schema)

/** An empty store in a separate schema. */
export async function openFreshPostgres(more: Partial<OpenSettings> = {}): Promise<Store> {
  const schema = await takeSchema()
  const store = await openPostgresStore(await postgresSettings({ schema, ...more }))
  const close = async () => {
    await store.close()
    if (more.schema === undefined) releaseSchema(schema)
  }
  return { ...store, close }
}
