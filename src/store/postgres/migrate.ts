// Schema versions only go forward. All missing steps run in one transaction, since DDL is transactional in
// PostgreSQL. Several servers may start at once: the first to get the advisory lock migrates, the others wait for it
// and find the schema up to date.

import { MemoryError } from '../../domain/errors.ts'
import type { Connection } from './connection.ts'
import type { Session } from './session.ts'

interface Migration {
  readonly connection: Connection
  readonly schema: string
  readonly migrations: readonly string[]
  readonly now: Date
}

export async function migrate(migration: Migration): Promise<void> {
  const { connection, migrations } = migration
  const found = await connection.read((session) => findVersion(session, migration.schema))
  if (found === migrations.length) return
  refuseNewer(migration, found)
  await connection.write((session) => applyMissing(session, migration), 'endless')
}

function refuseNewer({ connection, migrations }: Migration, found: number): void {
  if (found <= migrations.length) return
  throw new MemoryError(
    'store-too-new',
    `${connection.location} has schema version ${found}; this version of Recollect knows up to ${migrations.length}`,
    { hint: 'update Recollect: an older version would damage the database' },
  )
}

async function applyMissing(session: Session, migration: Migration): Promise<void> {
  const { schema, migrations, now } = migration
  await session.run('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', `recollect ${schema}`)
  const found = await findVersion(session, schema)
  refuseNewer(migration, found)
  if (found === 0) await makeSchema(session, schema)
  for (const [i, sql] of migrations.entries()) {
    if (i < found) continue
    await session.run(sql)
    await session.run(
      'INSERT INTO schema_version (version, applied_at) VALUES ($1, $2)',
      i + 1,
      now.getTime(),
    )
  }
}

/** Creates the schema only if it is missing, so that a user without the right to create schemas can be given one. */
async function makeSchema(session: Session, schema: string): Promise<void> {
  const isThere = await session.get('SELECT 1 FROM pg_namespace WHERE nspname = $1', schema)
  if (isThere === undefined) await session.run(`CREATE SCHEMA ${quoteName(schema)}`)
  await session.run('CREATE TABLE schema_version (version INTEGER PRIMARY KEY, applied_at BIGINT NOT NULL)')
}

async function findVersion(session: Session, schema: string): Promise<number> {
  const table = await session.get<{ name: string | null }>(
    'SELECT to_regclass($1)::text AS name',
    `${quoteName(schema)}.schema_version`,
  )
  if (table === undefined || table.name === null) return 0
  const row = await session.get<{ version: number | null }>(
    'SELECT max(version) AS version FROM schema_version',
  )
  return row?.version ?? 0
}

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`
