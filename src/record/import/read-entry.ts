import { MemoryError } from '../../domain/errors.ts'

/** JSON has no times: what the type calls a Date is a text here. */
export function toTime(text: unknown): Date {
  const time = new Date(text as string)
  if (!Number.isNaN(time.getTime())) return time
  throw new MemoryError('invalid-input', `the export has a time that is none: ${String(text)}`)
}
