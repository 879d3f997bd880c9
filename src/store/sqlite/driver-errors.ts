// The only place where SQLite errors are converted to MemoryErrors.

import { isMemoryError, MemoryError } from '../../domain/errors.ts'

const UNNAMED = 1
const BUSY = 5
const LOCKED = 6
const READONLY = 8
const IOERR = 10
const CORRUPT = 11
const FULL = 13
const CANTOPEN = 14
const NOTADB = 26

/** SQLite's messages, for the driver that sets no code when reading several rows. */
const MESSAGES: readonly (readonly [RegExp, number])[] = [
  [/database (table |schema )?is locked/, BUSY],
  [/readonly database/, READONLY],
  [/disk I\/O error/, IOERR],
  [/database disk image is malformed|database corruption/, CORRUPT],
  [/database or disk is full/, FULL],
  [/unable to open database file/, CANTOPEN],
  [/file is not a database/, NOTADB],
]

/** SQLite's primary result code, or undefined if the error is not from SQLite. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff
  const known = MESSAGES.find(([words]) => words.test(error.message))?.[1]
  return known ?? ('code' in error && error.code === 'ERR_SQLITE_ERROR' ? UNNAMED : undefined)
}

/** Another connection is writing; the same call may succeed in a moment. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error)
  return code === BUSY || code === LOCKED
}

/** The disk is full. */
export function isFull(error: unknown): boolean {
  return resultCode(error) === FULL
}

/** A page of the file cannot be read. */
export function isDamage(error: unknown): boolean {
  return resultCode(error) === CORRUPT
}

/** SQLite may have rolled back the whole transaction. */
export function endsTransaction(error: unknown): boolean {
  const code = resultCode(error)
  return code === FULL || code === IOERR || code === CORRUPT || code === READONLY
}

/** Converts SQLite errors. Any other error is ours or a bug, and is returned unchanged. */
export function toMemoryError(error: unknown, location: string): unknown {
  if (isMemoryError(error)) return error
  const code = resultCode(error)
  if (code === undefined) return error
  switch (code) {
    case BUSY:
    case LOCKED:
      return new MemoryError('store-busy', `another process kept ${location} locked for too long`, {
        hint: 'nothing was written; try again, and see which program holds the file open',
        cause: error,
      })
    case FULL:
      return new MemoryError('store-full', `there is no room left to write to ${location}`, {
        hint: 'nothing of this call was written; free some space and try again',
        cause: error,
      })
    case CORRUPT:
    case NOTADB:
      return new MemoryError('store-damaged', `${location} is damaged or not a Recollect file`, {
        hint: 'run `recollect doctor`; restore from a backup if it confirms damage',
        cause: error,
      })
    case CANTOPEN:
    case READONLY:
      return new MemoryError('store-failed', `${location} cannot be opened for writing`, {
        hint: 'check that the folder exists and that you may write to it',
        cause: error,
      })
    default:
      return new MemoryError('store-failed', `SQLite failed on ${location}: ${(error as Error).message}`, {
        hint: 'run `recollect doctor` to check the file',
        cause: error,
      })
  }
}
