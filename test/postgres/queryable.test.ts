// What people read with SQL: pages and queries have columns of jsonb and timestamptz.

import { expect, test } from 'vitest'
import { add, aPage, aPageKey, aQuery, readQueries, save } from '../../conformance/store/page-samples.ts'
import { at, findProblems } from '../../conformance/store/samples.ts'
import { MIGRATIONS } from '../../src/store/postgres/migrations/migrations.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { askServer, postgresSettings } from '../support/postgres-store.ts'

const home = aPageKey('home')
/** In an order that jsonb does not keep, with characters that it does not have. */
const ROWS = [{ region: 'North', id: 7, revenue: 1e21 }]
const ODD = { 'a\0b': 'half \ud800', '\u0001': '\u0001["x"]' }

test('pages and queries can be read with SQL', async () => {
  const settings = await postgresSettings()
  const store = await openPostgresStore(settings)
  const file = { id: 'f', name: 'mills.csv', metadata: { rows: 20 } }
  await store.savePage({
    ...home,
    change: () => aPage({ activeFile: file, entities: { Ana: { role: 'miller' } }, createdAt: at(1) }),
  })
  await add(store, home, [aQuery('q', 'How much?', { results: ROWS, sql: 'SELECT 1', createdAt: at(2) })])
  const { schema, url } = settings
  expect(
    await askServer(
      `SELECT entities -> 'Ana' ->> 'role' AS role, active_file_metadata -> 'rows' AS rows, created_at FROM ${schema}.page`,
      url,
    ),
  ).toEqual([{ role: 'miller', rows: 20, created_at: at(1) }])
  expect(
    await askServer(
      `SELECT query #>> '{}' AS query, sql, results -> 0 ->> 'region' AS region FROM ${schema}.query
       WHERE created_at > '${at(1).toISOString()}' AND created_at < now()`,
      url,
    ),
  ).toEqual([{ query: 'How much?', sql: 'SELECT 1', region: 'North' }])
  const [query] = await readQueries(store, home)
  expect(JSON.stringify(query?.results)).toBe(JSON.stringify(ROWS))
  await store.close()
})

test('what jsonb does not have is read back unchanged', async () => {
  const store = await openPostgresStore(await postgresSettings())
  const texts = ['a\0b', 'half \ud800', '\u0001', '\u0001"x"', '\\u0000', 'quotes " \\']
  for (const [i, text] of texts.entries()) {
    await save(store, home, { entities: { [text]: text }, preferences: ODD })
    expect(await store.findPage(home)).toMatchObject({ entities: { [text]: text }, preferences: ODD })
    const query = aQuery(`q${i}`, text, { sql: text, response: text, results: text })
    await add(store, home, [query])
    // The same again is no conflict.
    await add(store, home, [query])
    expect((await readQueries(store, home)).at(-1)).toMatchObject(query)
  }
  await store.close()
})

test('times are exact in every time zone of the server', async () => {
  const settings = await postgresSettings()
  const store = await openPostgresStore(settings)
  const database = new URL(settings.url).pathname.slice(1)
  const moment = new Date('2026-03-29T01:30:00.123Z')
  for (const zone of ['Asia/Kolkata', 'America/St_Johns', 'Europe/Lisbon']) {
    await askServer(`ALTER DATABASE ${database} SET TimeZone = '${zone}'`, settings.url)
    const other = await openPostgresStore(settings)
    await save(other, home, { createdAt: moment, updatedAt: moment, currentTopic: zone })
    expect(await other.findPage(home)).toMatchObject({ createdAt: moment, updatedAt: moment })
    await other.close()
  }
  await askServer(`ALTER DATABASE ${database} RESET TimeZone`, settings.url)
  await store.close()
})

test('a database of the first schema is migrated, with all that it has', async () => {
  const settings = await postgresSettings()
  const { schema, url } = settings
  const odd = JSON.stringify({ text: 'a\0b' }).replaceAll("'", "''")
  await askServer(
    `CREATE SCHEMA ${schema}; SET search_path = ${schema};
     CREATE TABLE schema_version (version INTEGER PRIMARY KEY, applied_at BIGINT NOT NULL);
     INSERT INTO schema_version VALUES (1, 0);
     ${MIGRATIONS[0]};
     INSERT INTO workspace (id, created_at) VALUES ('${home.workspace}', 0);
     INSERT INTO page (workspace, id, active_file, entities, preferences, query_count, created_at, updated_at, last_used_at)
       VALUES (1, 'home', 'f', '{"Ana":{"role":"miller"}}', '${odd}', 2, 1767225600123, 1767225600124, 1767225600125);
     INSERT INTO query (workspace, page, position, id, intent, created_at, query, sql, response, truncated, results) VALUES
       (1, 1, 0, 'q0', 'data_query', 1767225600125, '"How much?"', '"SELECT 1"', 'null', '{"bytes":9}', '${JSON.stringify(ROWS)}'),
       (1, 1, 1, 'q1', 'data_query', 1767225600125, '"a\\u0000b"', 'null', 'null', NULL, '${odd}')`,
    url,
  )
  const store = await openPostgresStore(settings)
  expect(await store.findPage(home)).toEqual({
    pageId: 'home',
    activeFile: { id: 'f' },
    currentTopic: null,
    entities: { Ana: { role: 'miller' } },
    preferences: { text: 'a\0b' },
    queryCount: 2,
    createdAt: new Date(1767225600123),
    updatedAt: new Date(1767225600124),
    lastUsedAt: new Date(1767225600125),
  })
  const [first, second] = await readQueries(store, home)
  expect(first).toMatchObject({
    query: 'How much?',
    sql: 'SELECT 1',
    response: null,
    resultsTruncated: { bytes: 9 },
  })
  expect(JSON.stringify(first?.results)).toBe(JSON.stringify(ROWS))
  expect(second).toMatchObject({ query: 'a\0b', sql: null, results: { text: 'a\0b' } })
  await store.rebuild()
  expect(await findProblems(store)).toEqual([])
  await store.close()
})
