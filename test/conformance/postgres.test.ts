import { afterAll, expect, test } from 'vitest'
import { checkStore } from '../support/check-store.ts'
import { findUnscoped } from '../support/find-unscoped.ts'
import { openFreshPostgres } from '../support/postgres-store.ts'
import { recordingPool } from '../support/recording-pool.ts'

const statements = new Set<string>()

checkStore('PostgreSQL', () => openFreshPostgres({ openPool: recordingPool(statements) }))

/** Statements that must read all workspaces, and why. */
const EXCEPTIONS: readonly (readonly [why: string, statement: RegExp])[] = [
  ['tables are made for everybody', /^\s*CREATE |pg_advisory|schema_version/],
  ['whoever runs jobs runs them for everybody', /FROM job WHERE is_next/],
  [
    'whoever holds the lease of a job may end it',
    /^SELECT workspace, conversation, kind FROM job WHERE number = \$1 AND lease/,
  ],
  [
    'the server tells how many jobs wait in all',
    /^SELECT j\.state, count\(\*\) AS count FROM job j\s+GROUP BY/,
  ],
  [
    'derivers read what is new for everybody',
    /FROM unread u JOIN|FROM conversation c JOIN workspace w .*\s+WHERE c\.is_memory_on|FROM derivation d\s+JOIN conversation|LOCK TABLE|^INSERT INTO unread \(deriver, workspace, conversation\) SELECT \$1/,
  ],
  [
    'a key says which workspace its holder may see',
    /FROM access_key k JOIN workspace w ON w\.number = k\.workspace (?:WHERE k\.id|ORDER)|^UPDATE access_key SET last_used_at/,
  ],
]

test('every statement on a table of Recollect names its workspace', () => {
  const unscoped = [...statements].filter((sql) => findUnscoped(sql).length > 0)
  const others = unscoped.filter((sql) => !EXCEPTIONS.some(([, statement]) => statement.test(sql)))
  expect(statements.size).toBeGreaterThan(150)
  expect(others).toEqual([])
})

test('every exception is still needed', () => {
  for (const [why, statement] of EXCEPTIONS) {
    const met = [...statements].filter((sql) => statement.test(sql) && findUnscoped(sql).length > 0)
    if (!why.startsWith('tables')) expect(met.length, why).toBeGreaterThan(0)
  }
})

test.each([
  ['SELECT * FROM message WHERE id = $1'],
  [
    'SELECT m.* FROM message m JOIN conversation c ON c.workspace = m.workspace AND c.number = m.conversation',
  ],
  ['DELETE FROM job WHERE number = $1'],
  ['UPDATE page SET query_count = 0'],
  ['SELECT 1 FROM conversation WHERE workspace = $1 AND number IN (SELECT conversation FROM job)'],
  ['INSERT INTO receipt (conversation, id) VALUES ($1, $2)'],
])('a statement that does not is detected: %s', (sql) => {
  expect(findUnscoped(sql)).not.toEqual([])
})

afterAll(() => statements.clear())
