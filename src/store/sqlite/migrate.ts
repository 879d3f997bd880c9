// Migrations only go forward. Each step runs in its own transaction, together with the row that records it, so that
// a crash leaves the file at one version or the next. Several processes may open the same file at the same time:
// the first to get the lock migrates, and the others find it done.

import { MemoryError } from '../../domain/errors.ts'
import type { Connection } from './connection.ts'

interface Migration {
  readonly connection: Connection
  readonly migrations: readonly string[]
  readonly now: Date
  /** Called before the first step on a file that contains data. */
  readonly keepCopy: (version: number) => Promise<void>
}

export async function migrate(migration: Migration): Promise<void> {
  const { connection, migrations, now } = migration
  const found = await schemaVersion(connection)
  if (found > migrations.length) {
    throw new MemoryError(
      'store-too-new',
      `${connection.location} has schema version ${found}; this version of Recollect knows up to ${migrations.length}`,
      { hint: 'update Recollect: an older version would damage the file' },
    )
  }
  if (found > 0 && found < migrations.length) await migration.keepCopy(found)
  for (let version = found + 1; version <= migrations.length; version++) {
    await connection.write(() => {
      if (readVersion(connection) >= version) return
      connection.database.exec(migrations[version - 1] ?? '')
      connection.run('INSERT INTO schema_version (version, applied_at) VALUES (?, ?)', version, now.getTime())
    })
  }
}

async function schemaVersion(connection: Connection): Promise<number> {
  const hasTable = await connection.read(() =>
    connection.get("SELECT 1 FROM sqlite_schema WHERE name = 'schema_version'"),
  )
  if (hasTable === undefined) {
    await connection.write(() =>
      connection.database.exec(
        'CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT',
      ),
    )
  }
  return connection.read(() => readVersion(connection))
}

function readVersion(connection: Connection): number {
  return (
    connection.get<{ version: number | null }>('SELECT max(version) AS version FROM schema_version')
      ?.version ?? 0
  )
}
