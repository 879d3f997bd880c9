import { MemoryError } from '../domain/errors.ts'

// A time without a zone would mean another moment on every machine.
const ISO = /^\d{4}(?:-\d{2}(?:-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2}))?)?)?$/

/** A Date, or a text such as 2026-05-01 or 2026-05-01T12:00:00Z. */
export function acceptMoment(value: unknown, what: string): Date {
  const isText = typeof value === 'string' && ISO.test(value)
  const moment = value instanceof Date || isText ? new Date(value) : new Date(Number.NaN)
  const year = moment.getUTCFullYear()
  if (year >= 0 && year <= 9999) return moment
  throw new MemoryError('invalid-input', `${what} is not a date: ${String(value)}`, {
    hint: 'give a Date or a text such as 2026-05-01 or 2026-05-01T12:00:00Z',
  })
}
