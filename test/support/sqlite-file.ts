import { existsSync, readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { loadDriver, type SqliteDatabase } from '../../src/store/sqlite/driver.ts'
import type { OpenSettings } from '../../src/store/sqlite/open-database.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { temporaryPath } from './temporary-folder.ts'

const driver = await loadDriver()

/** The files that SQLite keeps for one database. */
const ENDINGS = ['', '-wal', '-shm', '-journal'] as const

/** Opens a store as Recollect does; it is closed after the test. */
export async function openStore(settings: Partial<OpenSettings> = {}): Promise<Store> {
  const path = settings.path ?? temporaryPath()
  // Relaxed, since these tests write much and no power is cut.
  const store = await openSqliteStore({ durability: 'relaxed', busyTimeoutMs: 5000, ...settings, path })
  onTestFinished(() => store.close())
  return store
}

/** A connection without any of the store's care, as another program has it; closed after the test. */
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

/** Runs statements on a plain connection of their own. */
export function runPlain(path: string, ...statements: readonly string[]): void {
  const database = openPlain(path)
  for (const sql of statements) database.exec(sql)
  database.close()
}

/** One value from a plain connection of its own. */
export function askPlain(path: string, sql: string): unknown {
  const database = openPlain(path)
  const row = database.prepare(sql).get() as object
  database.close()
  return Object.values(row)[0]
}

/** Every byte of every file of the database, as it lies on the disk now. */
export function readRaw(path: string): Buffer {
  return Buffer.concat(
    ENDINGS.map((ending) => path + ending)
      .filter(existsSync)
      .map((file) => readFileSync(file)),
  )
}
