// Removes erased bytes from the files. PostgreSQL keeps a deleted or changed row until VACUUM, and its bytes in the
// unused part of a page after that; only rewriting the tables removes them. That locks each table while it is
// rewritten, so it does not run with every erase but on request. Until then, erasures are noted as pending. The
// write-ahead log, replicas and backups are up to the operator: docs/guide/postgres.md.

import { newId } from '../../domain/ids.ts'
import type { Erasure } from '../sql/erase.ts'
import type { Db } from '../sql/statement.ts'
import type { Erased } from '../store.ts'
import type { Connection } from './connection.ts'
import { execute } from './execute.ts'
import { quoteName } from './migrate.ts'
import type { Session } from './session.ts'

const SCRUB_PENDING = 'scrub-pending'

/** All tables with text, or with data derived from it. */
const TABLES = [
  'workspace',
  'conversation',
  'message',
  'block',
  'receipt',
  'indexed_word',
  'page',
  'query',
  'document',
  'document_text',
  'chunk',
  'attachment',
  'derivation',
  'reading',
  'derived',
  'job',
  'edit',
  'access_key',
] as const

interface Mark {
  /** An erasure noted while another process scrubs is not marked as done. */
  readonly id: string
  /** The transaction that erased. */
  readonly transaction: string
}

/** Runs in the transaction that erases. */
async function noteScrubPending(session: Session): Promise<void> {
  await session.run(
    `INSERT INTO setting (name, value) VALUES ($1, json_build_object('id', $2::text, 'transaction', pg_current_xact_id()::text)::text)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    SCRUB_PENDING,
    newId(new Date()),
  )
}

/** Bytes left in the files are removed by a later `scrub`. */
export async function eraseAndScrub(connection: Connection, work: () => Db<Erasure>): Promise<Erased> {
  const erasure = await connection.write(async (session) => {
    const done = await execute(session, work())
    await noteScrubPending(session)
    return done
  }, 'endless')
  return { ...erasure, isScrubbed: !(await connection.read(isScrubPending)) }
}

async function readMark(session: Session): Promise<{ readonly value: string } | undefined> {
  return session.get<{ value: string }>('SELECT value FROM setting WHERE name = $1', SCRUB_PENDING)
}

export async function isScrubPending(session: Session): Promise<boolean> {
  return (await readMark(session)) !== undefined
}

/** True if no erased data is left in any table. */
export async function scrub(connection: Connection): Promise<boolean> {
  const mark = await connection.read(readMark)
  if (mark === undefined) return true
  const { transaction }: Mark = JSON.parse(mark.value)
  if (await connection.read((session) => isStillSeen(session, transaction))) return false
  const schema = quoteName(connection.schema)
  await connection.runAlone(TABLES.map((table) => `VACUUM (FULL) ${schema}.${table}`))
  await connection.write((session) =>
    session.run('DELETE FROM setting WHERE name = $1 AND value = $2', SCRUB_PENDING, mark.value),
  )
  return true
}

/**
 * Whether a transaction still sees the state before the erase, or began before it and is still running: then
 * PostgreSQL must keep the rows. Later transactions cannot see that state.
 */
async function isStillSeen(session: Session, transaction: string): Promise<boolean> {
  const row = await session.get<{ is_seen: boolean }>(
    `SELECT pg_snapshot_xmin(pg_current_snapshot()) <= $1::xid8 OR EXISTS (SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xmin IS NOT NULL
         AND age(backend_xmin) >= age($1::xid8::xid)) AS is_seen`,
    transaction,
  )
  return row?.is_seen === true
}
