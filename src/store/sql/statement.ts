// Rules that both engines share are written once, as generators that yield statements: SQLite runs them
// synchronously inside its transaction, PostgreSQL awaits each. Statements are written for PostgreSQL, with `$1`,
// row locks and casts; sqlite/dialect.ts translates the few differences. Joins are written in the order in which
// SQLite runs them.
//
// What differs for good reasons (full-text search, locators, vectors, append, migrations) stays with each engine;
// shared work uses some of it through `Engine`.

import type { Committed } from '../commits.ts'
import type { Json } from '../json-parameter.ts'
import type { Engine } from './engine.ts'

/** A `Date` is for a column that is `timestamptz` on PostgreSQL. In both engines it is read as milliseconds. */
export type SqlParameter =
  | null
  | number
  | string
  | boolean
  | Date
  | Json
  | Uint8Array
  | readonly (string | number)[]

export interface Statement {
  readonly method: 'get' | 'all' | 'run' | 'lock'
  readonly sql: string
  readonly values: readonly SqlParameter[]
}

export interface EngineCall {
  readonly method: keyof Engine
  readonly values: readonly unknown[]
}

/** Work on the database that results in a `T`. */
export type Db<T> = Generator<Statement | EngineCall, T, unknown>

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

/** A statement that locks rows until the end of the transaction. SQLite skips it: a file has one writer at a time. */
export function* lock(sql: string, ...values: readonly SqlParameter[]): Db<void> {
  yield { method: 'lock', sql, values }
}

export function* callEngine<Method extends keyof Engine>(
  method: Method,
  ...values: Parameters<Engine[Method]>
): Db<ReturnType<Engine[Method]>> {
  return (yield { method, values }) as ReturnType<Engine[Method]>
}

/** `name = $n` for each column, with the first number given. */
export const assignments = (columns: Readonly<Record<string, unknown>>, first: number): string =>
  Object.keys(columns)
    .map((name, i) => `${name} = $${first + i}`)
    .join(', ')

/** `INSERT INTO table (names) VALUES ($1, …)`, for the values of `columns` in their order. */
export function insertInto(table: string, columns: Readonly<Record<string, SqlParameter>>): string {
  const names = Object.keys(columns)
  return `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')})`
}

/** Conditions joined by AND, with their values as parameters $1, $2 … */
export class Conditions {
  readonly values: SqlParameter[] = []
  readonly #sql: string[] = []

  /** `write` receives the parameter name of each value. */
  add(write: (...names: string[]) => string, ...values: readonly SqlParameter[]): void {
    const names = values.map((_, i) => `$${this.values.length + i + 1}`)
    this.values.push(...values)
    this.#sql.push(write(...names))
  }

  get sql(): string {
    return this.#sql.join(' AND ')
  }
}

/** Runs such work for the methods of a store. A write may be run several times. */
export interface SqlAccess {
  readonly read: <T>(work: () => Db<T>) => Promise<T>
  /** All statements see the same state. */
  readonly snapshot: <T>(work: () => Db<T>) => Promise<T>
  readonly write: <T>(work: () => Db<T>, commit?: Committed<T>) => Promise<T>
  /** Prepares something outside of the transaction first. */
  readonly writePrepared: <P, T>(
    prepare: () => Promise<P>,
    work: (prepared: P) => Db<T>,
    commit: Committed<T>,
  ) => Promise<T>
}
