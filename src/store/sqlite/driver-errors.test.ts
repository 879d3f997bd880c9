import { describe, expect, test } from 'vitest'
import { openPlain } from '../../../test/support/sqlite-file.ts'
import { temporaryPath } from '../../../test/support/temporary-folder.ts'
import { MemoryError } from '../../domain/errors.ts'
import type { SqliteDatabase } from './driver.ts'
import { endsTransaction, isBusy, toMemoryError } from './driver-errors.ts'

/** What a call throws. */
function catchError(call: () => unknown): unknown {
  try {
    call()
  } catch (error) {
    return error
  }
  throw new TypeError('nothing was thrown')
}

/** A database that another connection locks permanently after it was read. */
function openLocked(): SqliteDatabase {
  const path = temporaryPath()
  const holder = openPlain(path)
  holder.exec('CREATE TABLE word (text TEXT)')
  const waiting = openPlain(path)
  waiting.exec('PRAGMA busy_timeout = 1')
  // Otherwise preparing the statement would fail, not running it.
  waiting.prepare('SELECT * FROM word').get()
  holder.exec('BEGIN EXCLUSIVE')
  return waiting
}

/** A database that cannot grow. */
function openFull(): SqliteDatabase {
  const database = openPlain(temporaryPath())
  database.exec('CREATE TABLE word (text BLOB)')
  database.exec('PRAGMA max_page_count = 3')
  return database
}

const BIG = 'INSERT INTO word VALUES (zeroblob(50000))'

/** Every way the store runs statements: errors must be recognized in each. */
const WAYS: Readonly<Record<string, (database: SqliteDatabase, sql: string) => unknown>> = {
  exec: (database, sql) => database.exec(sql),
  run: (database, sql) => database.prepare(sql).run(),
  get: (database, sql) => database.prepare(sql).get(),
  all: (database, sql) => database.prepare(sql).all(),
}

describe.each(Object.entries(WAYS))('an error from %s', (_way, call) => {
  test('is reported as busy if another connection is writing', () => {
    const error = catchError(() => call(openLocked(), 'SELECT * FROM word'))
    expect(isBusy(error)).toBe(true)
    expect(toMemoryError(error, 'memory.db')).toMatchObject({ code: 'store-busy', cause: error })
  })

  test('is reported as full if the disk is full, and ends the transaction', () => {
    const error = catchError(() => call(openFull(), BIG))
    expect(endsTransaction(error)).toBe(true)
    expect(toMemoryError(error, 'memory.db')).toMatchObject({ code: 'store-full', cause: error })
  })

  test("is otherwise reported as failed, with SQLite's message", () => {
    const error = catchError(() => call(openFull(), 'INSERT INTO nowhere VALUES (1)'))
    expect([isBusy(error), endsTransaction(error)]).toEqual([false, false])
    expect(toMemoryError(error, 'memory.db')).toMatchObject({
      code: 'store-failed',
      message: expect.stringContaining('nowhere'),
    })
  })
})

test('a constraint violation while reading rows is reported as failed', () => {
  const database = openPlain(temporaryPath())
  database.exec('CREATE TABLE word (text TEXT UNIQUE); INSERT INTO word VALUES (1)')
  const error = catchError(() => database.prepare('INSERT INTO word VALUES (1) RETURNING text').all())
  expect(toMemoryError(error, 'memory.db')).toMatchObject({ code: 'store-failed' })
})

test('a MemoryError is passed through unchanged, and so is a programming error', () => {
  const ours = new MemoryError('conflict', 'taken')
  const bug = new TypeError('undefined is not a function')
  expect(toMemoryError(ours, 'memory.db')).toBe(ours)
  expect(toMemoryError(bug, 'memory.db')).toBe(bug)
  expect([isBusy(bug), endsTransaction(bug), isBusy(undefined)]).toEqual([false, false, false])
})
