// What is left to do after rows were erased. PostgreSQL keeps a row that was deleted or changed until VACUUM, and its
// bytes in the unused part of a page after that: only writing the tables anew leaves none behind. That locks each of
// them while it is written, so that it is not done with every erase but when somebody asks. What was erased is noted
// until then. The write-ahead log, replicas and backups are the operator's: docs/guide/postgres.md.

import { newId } from '../../domain/ids.ts'
import type { Connection } from './connection.ts'
import { quoteName } from './migrate.ts'
import type { Session } from './session.ts'

const SCRUB_PENDING = 'scrub-pending'

/** All that hold words, or what was made of them. */
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
  /** What comes while another one scrubs is not taken for done. */
  readonly id: string
  /** The transaction that erased. */
  readonly transaction: string
}

/** In the transaction that erases. */
export async function noteScrubPending(session: Session): Promise<void> {
  await session.run(
    `INSERT INTO setting (name, value) VALUES ($1, json_build_object('id', $2::text, 'transaction', pg_current_xact_id()::text)::text)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    SCRUB_PENDING,
    newId(new Date()),
  )
}

async function readMark(session: Session): Promise<{ readonly value: string } | undefined> {
  return session.get<{ value: string }>('SELECT value FROM setting WHERE name = $1', SCRUB_PENDING)
}

export async function isScrubPending(session: Session): Promise<boolean> {
  return (await readMark(session)) !== undefined
}

/** True when nothing of what was erased is left in any table. */
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
 * Whether somebody still looks at the state before the erase, or began before it and is not done: then PostgreSQL must
 * keep its rows. Nobody who comes later can see it again.
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
