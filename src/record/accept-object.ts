import { MemoryError } from '../domain/errors.ts'
import { isPlainObject } from './accept-json.ts'

interface ObjectRules {
  /** What it is, for the error. */
  readonly what: string
  readonly fields: readonly string[]
}

/** A plain object that has no other fields than these. */
export function acceptObject(value: unknown, { what, fields }: ObjectRules): void {
  if (!isPlainObject(value)) throw new MemoryError('invalid-input', `${what} must be an object`)
  const unknown = Object.keys(value).find((field) => !fields.includes(field))
  if (unknown === undefined) return
  throw new MemoryError('invalid-input', `${what} has no field "${unknown}"`, {
    hint: `these can be given: ${fields.join(', ')}`,
  })
}

/** One of a few words. */
export function acceptChoice<Choice extends string>(
  value: unknown,
  { what, choices }: { readonly what: string; readonly choices: readonly Choice[] },
): Choice {
  if ((choices as readonly unknown[]).includes(value)) return value as Choice
  throw new MemoryError('invalid-input', `${what} cannot be ${JSON.stringify(value)}`, {
    hint: `possible: ${choices.join(', ')}`,
  })
}

export function acceptFlag(value: unknown, what: string): boolean {
  if (typeof value === 'boolean') return value
  throw new MemoryError('invalid-input', `${what} must be true or false, not ${JSON.stringify(value)}`)
}
