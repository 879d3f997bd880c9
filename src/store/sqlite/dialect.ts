// Statements that both engines share are written for PostgreSQL. SQLite needs no row locks, since a file has one
// writer at a time, and no casts; lists are passed as JSON, and booleans are 0 and 1. `CROSS JOIN` keeps the order of
// the statement, since without statistics SQLite may choose a bad one.

import { Json } from '../json-parameter.ts'
import type { Engine } from '../sql/engine.ts'
import type { Db, EngineCall, SqlParameter, Statement } from '../sql/statement.ts'
import { takeOut, withWords } from './blocks.ts'
import type { Connection } from './connection.ts'
import { dropChunks, writeChunks, writeDocumentText } from './documents.ts'
import type { SqlValue } from './driver.ts'
import {
  expectRemovals,
  removeChunkWords,
  removeConversationWords,
  removeMessageWords,
  removePageWords,
  removeQueryWords,
} from './removed-words.ts'
import { addEntry, conversationEntry, matchInWorkspace, removeEntry, toMatch } from './word-index.ts'

/** What shared work calls on SQLite. */
export const ENGINE: {
  readonly [Method in keyof Engine]: (
    connection: Connection,
    ...values: Parameters<Engine[Method]>
  ) => ReturnType<Engine[Method]>
} = {
  indexConversation: (connection, { before, after }) => {
    if (before !== undefined) removeEntry(connection, 'conversation_words', conversationEntry(before))
    if (after !== undefined) addEntry(connection, 'conversation_words', conversationEntry(after))
  },
  writeDocumentText,
  writeChunks,
  dropChunks,
  withContents: (connection, _workspace, rows) => withWords(connection, [...rows]),
  takeOutOfBlock: (connection, message) => takeOut(connection, message.number),
  expectRemovals,
  removeMessageWords,
  removeConversationWords,
  removePageWords,
  removeQueryWords,
  removeChunkWords,
  deleteWorkspace: () => false,
  findConversations: (_connection, workspace, terms) => ({
    sql: (name) =>
      `c.number IN (SELECT rowid FROM conversation_words WHERE conversation_words MATCH ${name})`,
    value: matchInWorkspace(toMatch(terms), workspace),
  }),
}

const REWRITES: readonly (readonly [RegExp, string])[] = [
  [/\bunnest\(\$(\d+)::\w+\[\]\) AS (\w+) \(value\)/g, 'json_each(?$1) AS $2'],
  [/= ANY\(\$(\d+)::\w+\[\]\)/g, 'IN (SELECT value FROM json_each(?$1))'],
  [/= ANY\(([a-z.]+)\)/g, 'IN (SELECT value FROM json_each($1))'],
  [/ FOR (?:NO KEY UPDATE|KEY SHARE|UPDATE|SHARE)(?: OF \w+)?/g, ''],
  [/(?<!LEFT |CROSS )\bJOIN\b/g, 'CROSS JOIN'],
  [/::\w+/g, ''],
  [/\bgreatest\(/g, 'max('],
  [/\bmd5\(([^()]*)\)/g, '$1'],
  [/\bjson_agg\(([\w.]+) ORDER BY [\w.]+\)/g, 'json_group_array($1)'],
  [/\bstrpos\(/g, 'instr('],
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
  if (value instanceof Date) return value.getTime()
  if (value instanceof Json) return value.text
  if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array))
    return JSON.stringify(value)
  return value
}

/** Runs shared work, statement by statement. */
export function execute<T>(connection: Connection, work: Db<T>): T {
  let step = work.next()
  while (step.done !== true) step = work.next(answer(connection, step.value))
  return step.value
}

function answer(connection: Connection, yielded: Statement | EngineCall): unknown {
  if (!('sql' in yielded)) {
    const call = ENGINE[yielded.method] as (connection: Connection, ...values: readonly unknown[]) => unknown
    return call(connection, ...yielded.values)
  }
  const { method, sql, values } = yielded
  if (method === 'lock') return undefined
  const result = connection[method](toSqlite(sql), ...values.map(toValue))
  return method === 'run' ? (result as { changes: number }).changes : result
}
