// What is needed to distribute the tables by workspace: keys and references that contain it, and statements in the
// guide for every table.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { askServer, postgresSettings } from '../support/postgres-store.ts'

const guide = readFileSync(new URL('../../docs/guide/scale.md', import.meta.url), 'utf8')
const named = (verb: string) =>
  [...guide.matchAll(new RegExp(`${verb}\\('recollect\\.(\\w+)'`, 'g'))].map(([, table = '']) => table)
const distributed = named('create_distributed_table')
const everywhere = named('create_reference_table')

async function readSchema() {
  const settings = await postgresSettings()
  await (await openPostgresStore(settings)).close()
  const ask = async <Row>(sql: string) =>
    (await askServer(sql.replaceAll('$schema', `'${settings.schema}'::regnamespace`), settings.url)) as Row[]
  const tables = await ask<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class WHERE relnamespace = $schema AND relkind = 'r'`,
  )
  const keys = await ask<{ table: string; key: string; columns: string[] }>(
    `SELECT t.relname::text AS table, k.relname::text AS key,
       (SELECT array_agg(a.attname::text) FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attnum = ANY(i.indkey)) AS columns
     FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid JOIN pg_class k ON k.oid = i.indexrelid
     WHERE t.relnamespace = $schema AND i.indisunique`,
  )
  const references = await ask<{ table: string; to: string; columns: string[]; others: string[] }>(
    `SELECT t.relname::text AS table, o.relname::text AS to,
       (SELECT array_agg(a.attname::text) FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attnum = ANY(c.conkey)) AS columns,
       (SELECT array_agg(a.attname::text) FROM pg_attribute a WHERE a.attrelid = o.oid AND a.attnum = ANY(c.confkey)) AS others
     FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_class o ON o.oid = c.confrelid
     WHERE c.connamespace = $schema AND c.contype = 'f'`,
  )
  return { tables: tables.map(({ name }) => name), keys, references }
}

test('the guide lists every table, and distributed tables can be distributed by workspace', async () => {
  const { tables, keys, references } = await readSchema()
  expect([...distributed, ...everywhere].toSorted()).toEqual(tables.toSorted())
  const isCut = ({ table }: { readonly table: string }) => distributed.includes(table)
  expect(keys.filter((key) => isCut(key) && !key.columns.includes('workspace'))).toEqual([])
  const across = references.filter(
    (reference) =>
      isCut(reference) &&
      !everywhere.includes(reference.to) &&
      !(reference.columns.includes('workspace') && reference.others.includes('workspace')),
  )
  expect(across).toEqual([])
  // Reference tables cannot refer to distributed ones.
  expect(references.filter((reference) => !isCut(reference) && distributed.includes(reference.to))).toEqual(
    [],
  )
})

test('the guide distributes a table after those that it refers to', async () => {
  const { references } = await readSchema()
  const order = [...everywhere, ...distributed]
  const late = references.filter(({ table, to }) => order.indexOf(to) > order.indexOf(table))
  expect(late).toEqual([])
})
