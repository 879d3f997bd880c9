// Statements that both engines share are written for PostgreSQL. SQLite needs no row locks, since a file has one writer
// at a time, and no casts; lists are passed as JSON, and booleans are 0 and 1.

import type { Db, SqlParameter } from '../sql/statement.ts'
import type { SqlValue } from './driver.ts'
import type { Statements } from './statements.ts'

const REWRITES: readonly (readonly [RegExp, string])[] = [
  [/= ANY\(\$(\d+)::\w+\[\]\)/g, 'IN (SELECT value FROM json_each(?$1))'],
  [/ FOR (?:NO KEY UPDATE|KEY SHARE|UPDATE)(?: OF \w+)?/g, ''],
  [/::\w+/g, ''],
  [/\bgreatest\(/g, 'max('],
  [/= TRUE\b/g, '= 1'],
  [/= FALSE\b/g, '= 0'],
  [/\$(\d+)/g, '?$1'],
]

const translated = new Map<string, string>()

function toSqlite(sql: string): string {
  let own = translated.get(sql)
  if (own === undefined) {
    own = REWRITES.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), sql)
    translated.set(sql, own)
  }
  return own
}

function toValue(value: SqlParameter): SqlValue {
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array))
    return JSON.stringify(value)
  return value
}

/** Runs shared work, statement by statement. */
export function execute<T>(connection: Statements, work: Db<T>): T {
  let step = work.next()
  while (step.done !== true) {
    const { method, sql, values } = step.value
    const result = connection[method](toSqlite(sql), ...values.map(toValue))
    step = work.next(method === 'run' ? (result as { changes: number }).changes : result)
  }
  return step.value
}
