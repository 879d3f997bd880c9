import { existsSync, readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { loadDriver, type SqliteDatabase } from '../../src/store/sqlite/driver.ts'
import type { OpenSettings } from '../../src/store/sqlite/open-database.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { temporaryPath } from './temporary-folder.ts'

const driver = await loadDriver()

/** The files of one SQLite database. */
const ENDINGS = ['', '-wal', '-shm', '-journal'] as const

/** Opens a store as Recollect does; closed after the test. */
export async function openStore(settings: Partial<OpenSettings> = {}): Promise<Store> {
  const path = settings.path ?? temporaryPath()
  // Relaxed: these tests write a lot and do not simulate power cuts.
  const store = await openSqliteStore({ durability: 'relaxed', busyTimeoutMs: 5000, ...settings, path })
  onTestFinished(() => store.close())
  return store
}

/** A plain connection, as another program would open it; closed after the test. */
export function openPlain(path: string): SqliteDatabase {
  const database = new driver.DatabaseSync(path)
  let isOpen = true
  const close = () => {
    if (isOpen) database.close()
    isOpen = false
  }
  onTestFinished(close)
  return { exec: (sql) => database.exec(sql), prepare: (sql) => database.prepare(sql), close }
}

/** Runs statements on a separate plain connection. */
export function runPlain(path: string, ...statements: readonly string[]): void {
  const database = openPlain(path)
  for (const sql of statements) database.exec(sql)
  database.close()
}

/** Reads one value through a separate plain connection. */
export function askPlain(path: string, sql: string): unknown {
  const database = openPlain(path)
  const row = database.prepare(sql).get() as object
  database.close()
  return Object.values(row)[0]
}

/** Every byte of every file of the database, as it is on disk now. */
export function readRaw(path: string): Buffer {
  return Buffer.concat(
    ENDINGS.map((ending) => path + ending)
      .filter(existsSync)
      .map((file) => readFileSync(file)),
  )
}
