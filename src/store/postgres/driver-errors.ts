// The only place where errors of PostgreSQL and of the connection are converted to ours.

import { isMemoryError, MemoryError, type MemoryErrorCode } from '../../domain/errors.ts'

interface Told {
  readonly code: MemoryErrorCode
  readonly message: (location: string) => string
  readonly hint: string
}

const UNREACHABLE: Told = {
  code: 'store-unreachable',
  message: (location) => `${location} cannot be reached`,
  hint: 'check host and port, and that the server runs and takes connections from here',
}
const REFUSED: Told = {
  code: 'store-failed',
  message: (location) => `${location} refused the user or the password`,
  hint: 'check both in the address, and what pg_hba.conf of the server allows',
}
const TOO_MANY: Told = {
  code: 'store-busy',
  message: (location) => `${location} has no connection left`,
  hint: 'lower postgres.poolSize, raise max_connections of the server, or put a pooler in front of it',
}
const LOST: Told = {
  code: 'store-unreachable',
  message: (location) => `the connection to ${location} was lost`,
  hint: 'try again; a write that was not acknowledged may have happened, and with the same ids it is not done twice',
}
const SLOW: Told = {
  code: 'store-busy',
  message: (location) => `${location} took too long`,
  hint: 'nothing was written; try again, or raise postgres.statementTimeoutMs',
}
const LOCKED: Told = {
  code: 'store-busy',
  message: (location) => `somebody else kept what was to be written in ${location} locked for too long`,
  hint: 'nothing was written; try again, or raise busyTimeoutMs',
}
const FULL: Told = {
  code: 'store-full',
  message: (location) => `there is no room left to write to ${location}`,
  hint: 'nothing of this call was written; free some space on the server and try again',
}
const DAMAGED: Told = {
  code: 'store-damaged',
  message: (location) => `${location} is damaged`,
  hint: 'restore the database from a backup; the log of the server says more',
}

/** By error code of PostgreSQL, or of Node for connection errors. */
const KNOWN: Readonly<Record<string, Told>> = {
  ECONNREFUSED: UNREACHABLE,
  ENOENT: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  ECONNRESET: LOST,
  EPIPE: LOST,
  '28000': REFUSED,
  '28P01': REFUSED,
  '3D000': {
    code: 'store-failed',
    message: (location) => `there is no such database: ${location}`,
    hint: 'make it first, with `createdb` or CREATE DATABASE, in UTF-8',
  },
  '3F000': {
    code: 'store-failed',
    message: (location) => `the schema that postgres.schema names is gone from ${location}`,
    hint: 'open the memory again: it is made when it is missing',
  },
  '53300': TOO_MANY,
  '53100': FULL,
  '53200': FULL,
  '42501': {
    code: 'store-failed',
    message: (location) => `the user may not do that in ${location}`,
    hint: 'GRANT CREATE on the database, or make the schema for the user to own',
  },
  '25006': {
    code: 'store-failed',
    message: (location) => `${location} can only be read`,
    hint: 'give the address of the primary; a replica goes into postgres.replicaUrl',
  },
  '57014': SLOW,
  '55P03': LOCKED,
  '40001': LOCKED,
  '40P01': LOCKED,
  '57P01': LOST,
  '57P02': LOST,
  '57P03': { ...UNREACHABLE, hint: 'the server is starting or stopping; try again in a moment' },
  XX001: DAMAGED,
  XX002: DAMAGED,
}

/** Errors of `pg` that have no code. */
const MESSAGES: readonly (readonly [RegExp, Told])[] = [
  [/timeout exceeded when trying to connect/, TOO_MANY],
  [/connection timeout/i, UNREACHABLE],
  [/Connection terminated|Client has encountered a connection error|not queryable/, LOST],
  [/password must be a string|SASL/, REFUSED],
]

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  return error.code
}

/** The transaction conflicted with another one: a retry succeeds. */
export function isWorthRepeating(error: unknown): boolean {
  const code = codeOf(error)
  return code === '40001' || code === '40P01' || isOvertaken(error)
}

/**
 * A newer version has changed a table, so a prepared plan would return other columns. PostgreSQL has no error code
 * for just this case, and the message depends on the language of the server.
 */
export const isPlanStale = (error: unknown): boolean =>
  codeOf(error) === '0A000' && (error as { readonly routine?: unknown }).routine === 'RevalidateCachedQuery'

/** A row that the statement relied on was deleted or inserted in the meantime. */
const isOvertaken = (error: unknown): boolean => ['23503', '23505'].includes(codeOf(error) ?? '')

/** The connection can no longer be used. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof Error && tell(error) === LOST
}

/** The server cannot be reached. */
export function isAway(error: unknown): boolean {
  const told =
    error instanceof Error ? tell(error instanceof AggregateError ? error.errors[0] : error) : undefined
  return told?.message === UNREACHABLE.message || told === LOST || told === TOO_MANY
}

function tell(error: Error): Told | undefined {
  const code = codeOf(error)
  if (code !== undefined && code in KNOWN) return KNOWN[code]
  if (code?.startsWith('08')) return LOST
  return MESSAGES.find(([words]) => words.test(error.message))?.[1]
}

const SQL_STATE = /^[0-9A-Z]{5}$/

/** The error for the caller. Anything that is neither PostgreSQL's nor ours is a bug and is returned unchanged. */
export function toMemoryError(error: unknown, location: string): unknown {
  if (isMemoryError(error) || !(error instanceof Error)) return error
  // All addresses of a host were tried: report the first failure.
  if (error instanceof AggregateError) return toMemoryError(error.errors[0], location)
  const told = tell(error)
  if (told !== undefined) {
    return new MemoryError(told.code, told.message(location), { hint: told.hint, cause: error })
  }
  if (!SQL_STATE.test(codeOf(error) ?? '')) return error
  return new MemoryError('store-failed', `PostgreSQL failed on ${location}: ${error.message}`, {
    hint: 'run `recollect doctor` to check the database',
    cause: error,
  })
}
