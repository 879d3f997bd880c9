// A copy made by SQLite's online backup while others go on writing. It is written under another name,
// opened and checked, and only then given the name that was asked for.

import { existsSync, renameSync, rmSync } from 'node:fs'
import { MemoryError } from '../../errors.ts'
import type { OnProgress } from '../store.ts'
import type { Connection } from './connection.ts'
import type { SqliteDriver } from './driver.ts'
import { toMemoryError } from './driver-errors.ts'

/** Pages copied before others get a turn: 4 MB. */
const PAGES_AT_ONCE = 1000

interface Backup {
  readonly path: string
  readonly onProgress?: OnProgress | undefined
}

export async function backUp(
  driver: SqliteDriver,
  connection: Connection,
  { path, onProgress }: Backup,
): Promise<void> {
  if (existsSync(path)) {
    throw new MemoryError('conflict', `${path} exists already`, { hint: 'choose a new name for the backup' })
  }
  const partial = `${path}.partial`
  rmSync(partial, { force: true })
  try {
    await driver.backup(connection.database, partial, {
      rate: PAGES_AT_ONCE,
      progress: ({ totalPages, remainingPages }) => onProgress?.(totalPages - remainingPages, totalPages),
    })
    verify(driver, partial)
    renameSync(partial, path)
  } catch (error) {
    throw toMemoryError(error, path)
  } finally {
    for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(partial + ending, { force: true })
  }
}

function verify(driver: SqliteDriver, path: string): void {
  const copy = new driver.DatabaseSync(path)
  try {
    // Left in the write-ahead mode of the source, the copy would be two files.
    copy.exec('PRAGMA journal_mode = DELETE')
    const { integrity_check: answer } = copy.prepare('PRAGMA integrity_check(1)').get() as {
      integrity_check: string
    }
    if (answer === 'ok') return
    throw new MemoryError('store-damaged', `the backup does not pass its check: ${answer}`, {
      hint: 'run `recollect doctor` on the original, and see whether the disk is full',
    })
  } finally {
    copy.close()
  }
}
