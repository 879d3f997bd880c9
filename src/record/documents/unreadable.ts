import { MemoryError } from '../../errors.ts'

interface Trouble {
  readonly hint?: string
  readonly cause?: unknown
}

/** A file that cannot be read: which, why, and what to do about it. */
export function unreadable(name: string, why: string, trouble: Trouble = {}): MemoryError {
  return new MemoryError('invalid-input', `"${name}" ${why}`, trouble)
}
