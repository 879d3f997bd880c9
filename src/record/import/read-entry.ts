import { isMemoryError, MemoryError } from '../../errors.ts'
import { given } from '../../given.ts'

/** JSON has no times: what the type calls a Date is a text here. */
export function toTime(text: unknown): Date {
  const time = new Date(text as string)
  if (!Number.isNaN(time.getTime())) return time
  throw new MemoryError('invalid-input', `the export has a time that is none: ${String(text)}`)
}

/** The same error, saying which entry of the export it is about. */
export function withPlace(cause: unknown, place: string): unknown {
  if (!isMemoryError(cause)) return cause
  return new MemoryError(cause.code, `${place}: ${cause.message}`, { cause, ...given({ hint: cause.hint }) })
}
