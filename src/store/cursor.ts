import { MemoryError } from '../domain/errors.ts'

/** Encodes a list position as an opaque cursor. */
export function writeCursor(numbers: readonly number[]): string {
  return Buffer.from(JSON.stringify(numbers)).toString('base64url')
}

export function readCursor(cursor: string, length: number): readonly number[] {
  const numbers = parse(cursor)
  if (Array.isArray(numbers) && numbers.length === length && numbers.every(Number.isSafeInteger))
    return numbers
  throw new MemoryError('invalid-input', 'this cursor was not made by Recollect', {
    hint: 'hand in `next` of the page before, unchanged',
  })
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
