// A copy made by SQLite's online backup while others keep writing. It is written under a temporary name, opened and
// checked, and only then renamed to the requested name.

import { existsSync, renameSync, rmSync } from 'node:fs'
import { MemoryError } from '../../domain/errors.ts'
import type { OnProgress } from '../store.ts'
import type { Connection } from './connection.ts'
import type { SqliteDatabase, SqliteDriver } from './driver.ts'
import { toMemoryError } from './driver-errors.ts'
import { createPrivateFile, IN_MEMORY } from './open-database.ts'

/** Pages copied before other work gets a turn: 4 MB. */
const PAGES_AT_ONCE = 1000

interface Backup {
  readonly from: string
  readonly to: string
  readonly onProgress?: OnProgress | undefined
}

export async function backUp(driver: SqliteDriver, connection: Connection, backup: Backup): Promise<void> {
  const { to } = backup
  if (existsSync(to)) {
    throw new MemoryError('conflict', `${to} exists already`, { hint: 'choose a new name for the backup' })
  }
  const partial = `${to}.partial`
  try {
    rmSync(partial, { force: true })
    createPrivateFile(partial)
    if (backup.from === IN_MEMORY) await copy(driver, connection.database, { ...backup, to: partial })
    else await copySnapshot(driver, { ...backup, to: partial })
    verify(driver, partial)
    renameSync(partial, to)
  } catch (error) {
    throw toMemoryError(error, to)
  } finally {
    for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(partial + ending, { force: true })
  }
}

/**
 * Copies through a separate connection that holds one snapshot: no other connection waits for it, and it never
 * restarts.
 */
async function copySnapshot(driver: SqliteDriver, backup: Backup): Promise<void> {
  const source = new driver.DatabaseSync(backup.from)
  try {
    source.exec('BEGIN')
    try {
      source.prepare('SELECT count(*) FROM sqlite_schema').get()
      await copy(driver, source, backup)
    } finally {
      // The driver for Node 20 keeps a closed connection half open for a while; the snapshot must be released now.
      source.exec('COMMIT')
    }
  } finally {
    source.close()
  }
}

async function copy(driver: SqliteDriver, source: SqliteDatabase, { to, onProgress }: Backup): Promise<void> {
  await driver.backup(source, to, {
    rate: PAGES_AT_ONCE,
    progress: ({ totalPages, remainingPages }) => onProgress?.(totalPages - remainingPages, totalPages),
  })
}

function verify(driver: SqliteDriver, path: string): void {
  const copy = new driver.DatabaseSync(path)
  try {
    // In the source's write-ahead mode, the copy would be two files.
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
