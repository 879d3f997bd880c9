// What is left to do after rows were erased and their words left the index (word-index.ts): the file is
// written anew, since `secure_delete` overwrites what is deleted, but when SQLite moves rows between pages,
// copies of them stay behind in the unused part of a page. Then the write-ahead log, which still holds the
// pages as they were, is emptied into the file and cut to nothing. A reader elsewhere that still looks at
// the old state keeps that from happening: it is noted in the file, and done at the next opening or erasing,
// or when somebody asks.

import { newId } from '../../domain/ids.ts'
import type { Connection } from './connection.ts'
import { isFull } from './driver-errors.ts'

const SCRUB_PENDING = 'scrub-pending'

/** In the transaction that erases. A mark of its own: what comes while another one scrubs is not taken for done. */
export function noteScrubPending(connection: Connection): void {
  const mark = newId(new Date())
  connection.run('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)', SCRUB_PENDING, mark)
}

export function isScrubPending(connection: Connection): boolean {
  return readMark(connection) !== undefined
}

function readMark(connection: Connection): string | undefined {
  return connection.get<{ value: string }>('SELECT value FROM setting WHERE name = ?', SCRUB_PENDING)?.value
}

/** True when nothing of what was erased is left in any file. */
export async function scrub(connection: Connection): Promise<boolean> {
  const mark = await connection.read(() => readMark(connection))
  if (mark === undefined) return true
  if (!(await connection.read(() => writeAnew(connection)))) return false
  await connection.write(() =>
    connection.run('DELETE FROM setting WHERE name = ? AND value = ?', SCRUB_PENDING, mark),
  )
  return true
}

/** False while somebody else reads the old state, or there is no room: the file is then as it was. */
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
