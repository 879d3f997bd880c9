// Rules that both engines share are written once, as generators that yield statements: SQLite runs them
// synchronously inside its transaction, PostgreSQL awaits each. Statements are written for PostgreSQL, with `$1`,
// row locks and casts; sqlite/dialect.ts translates the few differences.
//
// What differs for good reasons (full-text search, locators, vectors, append, migrations) stays with each engine.

import type { Committed } from '../commits.ts'

export type SqlParameter = null | number | string | boolean | Uint8Array | readonly (string | number)[]

export interface Statement {
  readonly method: 'get' | 'all' | 'run'
  readonly sql: string
  readonly values: readonly SqlParameter[]
}

/** Work on the database that results in a `T`. */
export type Db<T> = Generator<Statement, T, unknown>

/** Returns the first row. */
export function* get<Row>(sql: string, ...values: readonly SqlParameter[]): Db<Row | undefined> {
  return (yield { method: 'get', sql, values }) as Row | undefined
}

export function* all<Row>(sql: string, ...values: readonly SqlParameter[]): Db<Row[]> {
  return (yield { method: 'all', sql, values }) as Row[]
}

/** Returns the number of changed rows. */
export function* run(sql: string, ...values: readonly SqlParameter[]): Db<number> {
  return (yield { method: 'run', sql, values }) as number
}

/** `INSERT INTO table (names) VALUES ($1, …)`, for the values of `columns` in their order. */
export function insertInto(table: string, columns: Readonly<Record<string, SqlParameter>>): string {
  const names = Object.keys(columns)
  return `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')})`
}

/** Runs such work for the methods of a store. A write may be run several times. */
export interface SqlAccess {
  readonly read: <T>(work: () => Db<T>) => Promise<T>
  readonly write: <T>(work: () => Db<T>, commit?: Committed<T>) => Promise<T>
}
