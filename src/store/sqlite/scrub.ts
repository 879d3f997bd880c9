// The last step of an erase, after rows were deleted and their words removed from the index (word-index.ts). First,
// the file is rewritten: `secure_delete` overwrites deleted data, but when SQLite moves rows between pages, copies
// stay in the unused part of a page. Then the write-ahead log, which still contains the old pages, is checkpointed
// and truncated. A reader that still uses the old state prevents both: this is recorded in the file, and the scrub
// is completed when the file is next opened, by the next erase, or on request.

import { newId } from '../../domain/ids.ts'
import type { Erasure } from '../sql/erase.ts'
import type { Db } from '../sql/statement.ts'
import type { Erased } from '../store.ts'
import type { Connection } from './connection.ts'
import { execute } from './dialect.ts'
import { isFull } from './driver-errors.ts'
import { removingWords } from './removed-words.ts'

const SCRUB_PENDING = 'scrub-pending'

/**
 * Called in the transaction that erases. Each erase has its own mark, so that one made during a running scrub is
 * not considered done.
 */
function noteScrubPending(connection: Connection): void {
  const mark = newId(new Date())
  connection.run('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)', SCRUB_PENDING, mark)
}

export function isScrubPending(connection: Connection): boolean {
  return readMark(connection) !== undefined
}

function readMark(connection: Connection): string | undefined {
  return connection.get<{ value: string }>('SELECT value FROM setting WHERE name = ?', SCRUB_PENDING)?.value
}

export async function eraseAndScrub(connection: Connection, work: () => Db<Erasure>): Promise<Erased> {
  const erasure = await connection.write(() => {
    const done = removingWords(connection, () => execute(connection, work()))
    noteScrubPending(connection)
    return done
  })
  return { ...erasure, isScrubbed: await scrub(connection) }
}

/** True when no erased data is left in any file. */
export async function scrub(connection: Connection): Promise<boolean> {
  const mark = await connection.read(() => readMark(connection))
  if (mark === undefined) return true
  if (!(await connection.read(() => writeAnew(connection)))) return false
  await connection.write(() =>
    connection.run('DELETE FROM setting WHERE name = ? AND value = ?', SCRUB_PENDING, mark),
  )
  return true
}

/** Returns false while another reader uses the old state, or if the disk is full, which leaves the file unchanged. */
function writeAnew(connection: Connection): boolean {
  if (!truncateLog(connection)) return false
  try {
    connection.database.exec('VACUUM')
  } catch (error) {
    if (isFull(error)) return false
    throw error
  }
  return truncateLog(connection)
}

function truncateLog(connection: Connection): boolean {
  const result = connection.get<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)')
  return result?.busy !== 1
}
