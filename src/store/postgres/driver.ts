// The part of a PostgreSQL client that the store needs, and the package `pg` behind it. Anything that speaks SQL and
// hands out one connection at a time can stand in its place.

import { MemoryError } from '../../domain/errors.ts'
import { isPlanStale } from './driver-errors.ts'
import { StatementNames } from './statement-names.ts'
import { toColumn, toParameter } from './text-columns.ts'

export type SqlValue =
  | null
  | number
  | string
  | boolean
  | Uint8Array
  | readonly (number | string | boolean | null | Uint8Array)[]

export interface PgResult {
  readonly rows: unknown[]
  /** How many rows were changed. */
  readonly rowCount: number
}

/** One connection, as long as it is held. */
export interface PgClient {
  query(sql: string, values: readonly SqlValue[]): Promise<PgResult>
  /** A broken one is not handed out again. */
  release(isBroken?: boolean): void
  /** Settings that have to be made in every transaction anew: a pooler in between hands each to another session. */
  readonly perTransaction?: string | undefined
}

export interface PgPool {
  connect(): Promise<PgClient>
  /** Waits until all connections were given back. */
  end(): Promise<void>
}

/** Whether a connection is a session; `auto` finds out. */
export type Pooling = 'auto' | 'session' | 'transaction'

export interface PoolSettings {
  readonly url: string
  readonly poolSize: number
  readonly connectTimeoutMs: number
  readonly pooling: Pooling
  /** Sent to every new connection before anything else: `SET … = …`. */
  readonly prepare: readonly string[]
}

export type OpenPool = (settings: PoolSettings) => Promise<PgPool>

const BIGINT = 20
const NUMERIC = 1700
const TEXT = 25
const TEXT_ARRAY = 1009
/** How `pg` reads a column, by the number of its type. */
type TypeParser = (text: string) => unknown

type Pg = typeof import('pg')['default']

export async function loadPackage(): Promise<Pg> {
  try {
    return (await import('pg')).default
  } catch (cause) {
    throw new MemoryError('missing-dependency', 'PostgreSQL needs the package "pg"', {
      hint: 'npm install pg',
      cause,
    })
  }
}

/** A pool of connections of the package `pg`. */
export const openPool: OpenPool = async (settings) => {
  const pg = await loadPackage()
  const perTransaction = settings.prepare.map((sql) => sql.replace(/^SET /, 'SET LOCAL ')).join('; ')
  const withoutSession = new WeakSet<object>()
  const pool = new pg.Pool({
    connectionString: settings.url,
    max: settings.poolSize,
    connectionTimeoutMillis: settings.connectTimeoutMs,
    application_name: 'recollect',
    types: { getTypeParser: readerOf(pg) },
    // Before anybody gets to use the connection.
    onConnect: async (client) => {
      if (await isSession(client, settings.pooling)) await client.query(settings.prepare.join('; '))
      else withoutSession.add(client)
    },
  })
  // A connection that breaks is told of by the next call, and replaced; without listeners it would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const names = new StatementNames()
  return {
    async connect() {
      const client = await pool.connect()
      const isPooled = withoutSession.has(client)
      return {
        query: isPooled ? querying(client) : querying(client, names),
        release: (isBroken) => client.release(isBroken),
        ...(isPooled && { perTransaction }),
      }
    },
    end: () => pool.end(),
  }
}

/** `pg` would quote and escape every number of a list by itself. */
const toSent = (value: SqlValue): unknown =>
  Array.isArray(value) && value.every((item) => typeof item === 'number')
    ? `{${value.join(',')}}`
    : toParameter(value)

/** Names belong to a session: through a pooler the next statement may reach another. */
function querying(client: InstanceType<Pg['ClientBase']>, names?: StatementNames): PgClient['query'] {
  return async (sql, values) => {
    const name = values.length === 0 ? undefined : names?.nameOf(sql)
    const text = { text: sql, values: values.map(toSent) }
    try {
      const { rows, rowCount } = await client.query(name === undefined ? text : { ...text, name })
      return { rows, rowCount: rowCount ?? 0 }
    } catch (error) {
      if (isPlanStale(error)) names?.giveUp(sql)
      throw error
    }
  }
}

/**
 * A pooler makes up the number of the process that a client is told it speaks to. What is set on a connection through
 * one may stay with a session that somebody else gets next, so that it is asked before anything is set.
 */
export async function isSession(
  client: InstanceType<Pg['Client']> | InstanceType<Pg['ClientBase']>,
  pooling: Pooling,
): Promise<boolean> {
  if (pooling !== 'auto') return pooling === 'session'
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid === (client as unknown as { readonly processID: number }).processID
}

/** Numbers as numbers: none of ours is beyond what one holds exactly. */
function readerOf(pg: Pg): (type: number, format?: 'text' | 'binary') => TypeParser {
  return (type, format) => {
    const usual = pg.types.getTypeParser(type, format as 'text') as TypeParser
    if (type === BIGINT || type === NUMERIC) return Number
    if (type === TEXT) return toColumn
    if (type === TEXT_ARRAY) return (text: string) => (usual(text) as string[]).map(toColumn)
    return usual
  }
}
