import type { DocumentText } from '../../../domain/document.ts'
import { MemoryError, type MemoryErrorCode } from '../../../domain/errors.ts'
import type { Pace } from '../pace.ts'

/** The input of a reader: a file whose format is known. */
export interface Source {
  /** For errors. */
  readonly name: string
  readonly pace: Pace
  /** Upper limit for decompressed content. */
  readonly maxBytes: number
}

export interface TextSource extends Source {
  readonly text: string
}

export interface BytesSource extends Source {
  readonly bytes: Uint8Array
}

export type Reader<Input extends Source> = (source: Input) => DocumentText | Promise<DocumentText>

interface UnreadableDetails {
  readonly hint?: string
  readonly cause?: unknown
  /** `unsupported-format` if there is no reader for it. @default "invalid-input" */
  readonly code?: MemoryErrorCode
}

/** The error for a file that cannot be read. */
export function unreadable(
  name: string,
  reason: string,
  { code, ...details }: UnreadableDetails = {},
): MemoryError {
  return new MemoryError(code ?? 'invalid-input', `"${name}" ${reason}`, details)
}

/** Loads the package of a reader with the first file that needs it. */
export async function loadPackage<Module>(load: () => Promise<Module>, name: string): Promise<Module> {
  try {
    return await load()
  } catch (cause) {
    throw new MemoryError('missing-dependency', `reading this format requires the package "${name}"`, {
      hint: `npm install ${name}; if you use a bundler, mark the package as external`,
      cause,
    })
  }
}
