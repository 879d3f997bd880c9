import { MemoryError } from '../domain/errors.ts'

/** A page is held in memory. */
const MOST = 10_000

/** How many items a list may have. */
export function acceptLimit(limit: unknown, fallback: number): number {
  if (limit === undefined) return fallback
  if (typeof limit === 'number' && Number.isSafeInteger(limit) && limit > 0 && limit <= MOST) return limit
  throw new MemoryError(
    'invalid-input',
    `limit must be a whole number from 1 to ${MOST}, not ${String(limit)}`,
  )
}
