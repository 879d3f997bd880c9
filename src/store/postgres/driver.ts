// The part of a PostgreSQL client that the store needs, and an implementation with the package `pg`. Any client that
// runs SQL and hands out one connection at a time can replace it.

import { MemoryError } from '../../domain/errors.ts'
import { Json } from '../json-parameter.ts'
import { isPlanStale } from './driver-errors.ts'

export type SqlValue =
  | null
  | number
  | string
  | boolean
  | Date
  | Json
  | Uint8Array
  | readonly (number | string | boolean | null | Uint8Array)[]

export interface PgResult {
  readonly rows: unknown[]
  /** Number of changed rows. */
  readonly rowCount: number
}

/** A connection that is checked out of the pool. */
export interface PgClient {
  query(sql: string, values: readonly SqlValue[]): Promise<PgResult>
  /** A broken connection is not reused. */
  release(isBroken?: boolean): void
  /** Settings that must be made in every transaction, because a pooler may run each one in another session. */
  readonly perTransaction?: string | undefined
}

export interface PgPool {
  connect(): Promise<PgClient>
  /** Waits until all connections are released. */
  end(): Promise<void>
}

/** Whether a connection keeps its session; `auto` detects it. */
export type Pooling = 'auto' | 'session' | 'transaction'

export interface PoolSettings {
  readonly url: string
  readonly poolSize: number
  readonly connectTimeoutMs: number
  readonly pooling: Pooling
  /** Runs on every new connection before anything else: `SET … = …`. */
  readonly prepare: readonly string[]
}

export type OpenPool = (settings: PoolSettings) => Promise<PgPool>

const BIGINT = 20
const NUMERIC = 1700
const TEXT = 25
const TEXT_ARRAY = 1009
const TIMESTAMPTZ = 1184
const JSONB = 3802
/** How `pg` parses a column of a type. */
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

/** Opens a connection pool of the package `pg`. */
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
    // Runs before the connection is used.
    onConnect: async (client) => {
      if (await isSession(client, settings.pooling)) await client.query(settings.prepare.join('; '))
      else withoutSession.add(client)
    },
  })
  // The next call reports a broken connection, and the pool replaces it; without a listener it would end the process.
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

/** Otherwise, `pg` would quote and escape every number of a list separately. */
const toSent = (value: SqlValue): unknown =>
  Array.isArray(value) && value.every((item) => typeof item === 'number')
    ? `{${value.join(',')}}`
    : toParameter(value)

/** Prepared names belong to a session: through a pooler, the next statement may reach another one. */
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
 * Detects a pooler, which makes up the process id that it reports to a client. This is checked before any `SET`,
 * because a setting made through a pooler may stay with a session that another client gets next.
 */
export async function isSession(
  client: InstanceType<Pg['Client']> | InstanceType<Pg['ClientBase']>,
  pooling: Pooling,
): Promise<boolean> {
  if (pooling !== 'auto') return pooling === 'session'
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid === (client as unknown as { readonly processID: number }).processID
}

/** Parses numbers as JavaScript numbers: none of ours exceeds the safe integers. */
function readerOf(pg: Pg): (type: number, format?: 'text' | 'binary') => TypeParser {
  return (type, format) => {
    const usual = pg.types.getTypeParser(type, format as 'text') as TypeParser
    if (type === BIGINT || type === NUMERIC) return Number
    if (type === TEXT) return toColumn
    if (type === TIMESTAMPTZ) return toMilliseconds
    if (type === JSONB) return fromJsonb
    if (type === TEXT_ARRAY) return (text: string) => (usual(text) as string[]).map(toColumn)
    return usual
  }
}

// PostgreSQL stores any text but NUL characters and lone surrogates. A text with one of these, or one that looks like
// the escaped form, is stored as JSON after a marker that does not begin any normal text.

const MARK = '\u0001'

/** Text as passed to PostgreSQL, also within lists. */
export function toParameter(value: unknown): unknown {
  if (typeof value === 'string') return toKept(value)
  if (value instanceof Json) return toJsonb(value)
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? value.map((item) => (typeof item === 'string' ? toKept(item) : item)) : value
}

function toKept(text: string): string {
  const isPlain = !text.startsWith(MARK) && !text.includes('\0') && text.isWellFormed()
  return isPlain ? text : MARK + JSON.stringify(text)
}

// jsonb rejects escapes of the same characters: such a value is stored as a JSON string, which is the marker and then
// the JSON.

const REJECTED_BY_JSONB = /\\u(?:0000|d[89a-f])|^"\\u0001/i
const MARKED_JSON = '"\\u0001'

const toJsonb = ({ text }: Json): string =>
  REJECTED_BY_JSONB.test(text) ? JSON.stringify(MARK + text) : text

/** The JSON text of a stored value. */
export const fromJsonb = (kept: string): string =>
  kept.startsWith(MARKED_JSON) ? JSON.parse(kept).slice(MARK.length) : kept

/** PostgreSQL writes `2026-05-01 12:00:00.123+00`, in the time zone of the session. */
export const toMilliseconds = (time: string): number =>
  Date.parse(time.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))

/** The original text of a stored value. */
export function toColumn(kept: string): string {
  return kept?.startsWith(MARK) ? JSON.parse(kept.slice(1)) : kept
}

// Names for prepared statements. PostgreSQL keeps a named statement parsed for the lifetime of the connection, and
// after a few executions its plan too; for small statements that saves half of the cost. Statements that run rarely,
// or contain literal limits, get no name, because every connection would have to keep them.

/** A statement gets a name the third time it runs. */
const NAME_AFTER_USES = 3
/** Each takes about ten kilobytes per connection; the store has about this many statements. */
const MOST_NAMED = 200
/** After this many statements that did not repeat, counting starts over. */
const MOST_COUNTED = 1000

export class StatementNames {
  readonly #counts = new Map<string, number>()
  readonly #names = new Map<string, string>()
  readonly #unfit = new Set<string>()
  #given = 0

  /** The name of a statement; undefined if it should not be prepared. */
  nameOf(sql: string): string | undefined {
    const known = this.#names.get(sql)
    if (known !== undefined || this.#given >= MOST_NAMED || this.#unfit.has(sql)) return known
    const count = (this.#counts.get(sql) ?? 0) + 1
    if (count < NAME_AFTER_USES) {
      if (this.#counts.size >= MOST_COUNTED) this.#counts.clear()
      this.#counts.set(sql, count)
      return undefined
    }
    this.#counts.delete(sql)
    this.#given += 1
    const name = `recollect_${this.#given}`
    this.#names.set(sql, name)
    return name
  }

  /** From now on the statement has no name. Its name is not reused, because connections still know it. */
  giveUp(sql: string): void {
    this.#unfit.add(sql)
    this.#names.delete(sql)
  }
}
