import { MemoryError, type MemoryErrorCode } from '../../domain/errors.ts'

interface Trouble {
  readonly hint?: string
  readonly cause?: unknown
  /** `unsupported-format` for what no reader knows. @default "invalid-input" */
  readonly code?: MemoryErrorCode
}

/** A file that cannot be read: which, why, and what to do about it. */
export function unreadable(name: string, why: string, { code, ...trouble }: Trouble = {}): MemoryError {
  return new MemoryError(code ?? 'invalid-input', `"${name}" ${why}`, trouble)
}
