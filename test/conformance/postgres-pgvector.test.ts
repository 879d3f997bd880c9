// The same store with another client and a newer PostgreSQL that has pgvector.

import type { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mustCommit, readingOf } from '../../conformance/store/derived-samples.ts'
import { aKey, append, HERE, many, upTo } from '../../conformance/store/samples.ts'
import { runCase, storeConformance } from '../../conformance/store/store-conformance.ts'
import { DEFAULTS } from '../../src/options/options.ts'
import { Connection } from '../../src/store/postgres/connection.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { findNearest } from '../../src/store/postgres/recall/find-nearest.ts'
import { openVectorIndex } from '../../src/store/postgres/recall/vector-index.ts'
import { makeVectors } from '../support/made-up-vectors.ts'
import { openPglite, pglitePool } from '../support/pglite-pool.ts'
import { newSchema } from '../support/postgres-store.ts'
import { SeededRandom } from '../support/seeded-random.ts'

let database: PGlite

beforeAll(async () => {
  database = await openPglite()
})

afterAll(() => database.close())

const settings = (schema: string) => ({
  ...DEFAULTS.postgres,
  url: 'postgres://nobody@in-this-process/memory',
  schema,
  durability: 'full' as const,
  busyTimeoutMs: 20_000,
  openPool: pglitePool(database),
})

/** The cases about meaning, and some of every other kind. */
const CASES = storeConformance.filter(
  ({ name }, i) => /near|vector|meaning|reading/.test(name) || i % 8 === 0,
)

test.each(CASES.map((conformanceCase) => [conformanceCase.name, conformanceCase] as const))(
  'with pgvector: %s',
  async (_name, conformanceCase) => {
    const { outcome, error } = await runCase(conformanceCase, () => openPostgresStore(settings(newSchema())))
    if (outcome === 'failed') throw error
  },
)

const DIMENSIONS = 32
let indexedSchema = ''

test('a pgvector index finds the same as comparing all vectors, and is built when first needed', async () => {
  const schema = newSchema()
  indexedSchema = schema
  const store = await openPostgresStore(settings(schema))
  const { vectors, questions } = makeVectors(new SeededRandom(7), {
    count: 1200,
    dimensions: DIMENSIONS,
    questions: 10,
  })
  await append(store, aKey('trip'), { messages: many('m', vectors.length) })
  const readings = vectors.map((vector, position) => ({ position, topic: 0, vector }))
  await mustCommit(store, readingOf(aKey('trip')), { cursor: vectors.length, readings })
  const pool = await pglitePool(database)({
    url: '',
    poolSize: 1,
    connectTimeoutMs: 1000,
    pooling: 'session',
    prepare: [`SET search_path = ${schema}`],
  })
  const connection = new Connection({ primary: pool }, { location: 'this process', schema })
  const index = await openVectorIndex(connection)
  await index?.want(connection, DIMENSIONS)
  connection.vectorIndex = index
  expect(index?.failure).toBeUndefined()
  expect(index?.has(DIMENSIONS)).toBe(true)
  let found = 0
  for (const vector of questions) {
    const lookup = { workspace: HERE, deriver: 'reader', vector, limit: 10, leastSimilarity: 0 }
    const exact = await connection.recall((session) => findNearest(session, lookup, 10_000))
    const indexed = await connection.recall((session) => findNearest(session, lookup, 100))
    expect([exact.isMany, indexed.isMany]).toEqual([false, true])
    const places = new Set(indexed.near.map(({ place }) => place))
    found += exact.near.filter(({ place }) => places.has(place)).length
  }
  expect(found).toBeGreaterThanOrEqual(95)
  expect((await store.check()).map(({ check }) => check).join()).toContain('pgvector 0.8')
})

test('the index also finds vectors stored before the extension was installed', async () => {
  const schema = newSchema()
  const store = await openPostgresStore(settings(schema))
  await append(store, aKey('trip'), { messages: many('m', 3) })
  const readings = upTo(3).map((position) => ({
    position,
    topic: 0,
    vector: Float32Array.from([1, position, 0]),
  }))
  await mustCommit(store, readingOf(aKey('trip')), { cursor: 3, readings })
  await database.exec(`ALTER TABLE ${schema}.reading DROP COLUMN embedding`)
  await openPostgresStore(settings(schema))
  const kept = await database.query<{ count: number }>(
    `SELECT count(embedding)::int AS count FROM ${schema}.reading`,
  )
  expect(kept.rows).toEqual([{ count: 3 }])
})

test('the query plan uses the index', async () => {
  const plan = await database.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT 1 FROM ${indexedSchema}.reading r WHERE public.vector_dims(r.embedding) = ${DIMENSIONS}
     ORDER BY r.embedding::public.halfvec(${DIMENSIONS}) OPERATOR(public.<=>) '[${upTo(DIMENSIONS).join()}]' LIMIT 40`,
  )
  expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(`reading_near_${DIMENSIONS}`)
})
