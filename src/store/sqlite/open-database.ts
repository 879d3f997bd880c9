// Opens the file and sets what the promises depend on: write-ahead logging, a sync at every commit, overwriting of
// erased bytes. Each setting is read back, since SQLite silently ignores what it does not support.

import { closeSync, existsSync, mkdirSync, openSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import { MemoryError } from '../../domain/errors.ts'
import { Connection } from './connection.ts'
import type { SqliteDatabase, SqliteDriver } from './driver.ts'
import { isBusy, toMemoryError } from './driver-errors.ts'

/** `full` survives a power cut; `relaxed` survives only a crash of the process, and does not wait for the disk. */
export type Durability = 'full' | 'relaxed'

export interface OpenSettings {
  readonly path: string
  readonly durability: Durability
  readonly busyTimeoutMs: number
}

export const IN_MEMORY = ':memory:'

/** "Reco" in ASCII: distinguishes a Recollect file from any other SQLite file. */
const APPLICATION_ID = 0x5265636f
/** Values of `PRAGMA synchronous`. */
const SYNCHRONOUS = { full: 2, relaxed: 1 } as const
/** How long SQLite itself waits for a lock. Short, since it blocks the event loop. */
const WAIT_INSIDE_MS = 40
/** Fits the upper index pages of a gigabyte of data, and what recall reads repeatedly. */
const CACHE_KIB = 64_000

export async function openDatabase(driver: SqliteDriver, settings: OpenSettings): Promise<Connection> {
  if (settings.path !== IN_MEMORY) {
    withFile(settings.path, () => makeFolder(dirname(settings.path)))
    createPrivateFile(settings.path)
    refuseForeignFile(settings.path)
  }
  const location = settings.path === IN_MEMORY ? 'the memory of this process' : settings.path
  const deadline = Date.now() + settings.busyTimeoutMs
  for (;;) {
    let database: SqliteDatabase | undefined
    try {
      database = new driver.DatabaseSync(settings.path)
      configure(database, settings)
      return new Connection(database, location, settings.busyTimeoutMs)
    } catch (error) {
      database?.close()
      // Switching a new file to write-ahead logging needs exclusive access, and SQLite does not wait for that.
      if (!isBusy(error) || Date.now() > deadline) throw toMemoryError(error, location)
    }
    await new Promise((wake) => setTimeout(wake, 5 + Math.random() * 20))
  }
}

/** Chats are private: only the owner may read the file. SQLite gives its side files the same permissions. */
export function createPrivateFile(path: string): void {
  withFile(path, () => closeSync(openSync(path, 'a', 0o600)))
}

/** Converts file system errors to MemoryErrors. */
function withFile<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw new MemoryError('store-failed', `${path} cannot be opened`, {
      hint: `check the path, and that you may write to its folder: ${(cause as Error).message}`,
      cause,
    })
  }
}

/**
 * Checks before SQLite opens the file: merely opening and closing another program's database would empty its log.
 * The application id is at byte 68 of a file that begins with "SQLite format 3".
 */
function refuseForeignFile(path: string): void {
  const head = Buffer.alloc(72)
  const length = withFile(path, () => {
    const file = openSync(path, 'r')
    try {
      return readSync(file, head, 0, head.length, 0)
    } finally {
      closeSync(file)
    }
  })
  if (length === 0) return
  const isDatabase = head.subarray(0, 15).toString('latin1') === 'SQLite format 3'
  if (isDatabase && head.readUInt32BE(68) === APPLICATION_ID) return
  const owner = isDatabase ? 'is an SQLite file of another program' : 'is damaged or not a Recollect file'
  throw new MemoryError('store-damaged', `${path} ${owner}`, {
    hint: 'choose another path, or restore the file from a backup; it was not touched',
  })
}

/**
 * Creates folders one by one: Node's recursive mkdir never returns if the system fails with "no such file" (/proc).
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder)
}

function configure(database: SqliteDatabase, settings: OpenSettings): void {
  database.exec(`PRAGMA busy_timeout = ${WAIT_INSIDE_MS}`)
  claim(database, settings.path)
  if (settings.path !== IN_MEMORY) {
    expectPragma(database, 'journal_mode', { set: 'WAL', answer: 'wal' })
    const synchronous = SYNCHRONOUS[settings.durability]
    expectPragma(database, 'synchronous', { set: String(synchronous), answer: synchronous })
  }
  expectPragma(database, 'secure_delete', { set: 'ON', answer: 1 })
  expectPragma(database, 'foreign_keys', { set: 'ON', answer: 1 })
  database.exec('PRAGMA trusted_schema = OFF')
  database.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
}

/** Marks an empty file as ours, and refuses one of another program. */
function claim(database: SqliteDatabase, path: string): void {
  // In one statement, and so one snapshot: another process may be creating the same file.
  const { owner, tables } = database
    .prepare(
      `SELECT (SELECT application_id FROM pragma_application_id) AS owner,
              (SELECT count(*) FROM sqlite_schema) AS tables`,
    )
    .get() as { owner: number; tables: number }
  if (owner === APPLICATION_ID) return
  if (owner !== 0 || tables > 0) {
    throw new MemoryError('store-damaged', `${path} is an SQLite file of another program`, {
      hint: 'choose another path; this file was not touched',
    })
  }
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
}

function expectPragma(
  database: SqliteDatabase,
  name: string,
  { set, answer }: { set: string; answer: string | number },
): void {
  database.exec(`PRAGMA ${name} = ${set}`)
  const row = database.prepare(`PRAGMA ${name}`).get() as Record<string, string | number>
  if (Object.values(row)[0] === answer) return
  throw new MemoryError('store-failed', `SQLite refused ${name} = ${set}`, {
    hint: 'the file may be on a network drive, which cannot lock or sync it reliably; move it to a local disk',
  })
}
