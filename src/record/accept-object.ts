import { z } from 'zod'
import { MemoryError } from '../domain/errors.ts'
import { check, describeValue } from '../schemas/check.ts'
import { isPlainObject } from '../schemas/values.ts'

interface ObjectRules {
  /** What it is, for the error. */
  readonly what: string
  readonly fields: readonly string[]
}

/** A plain object that has no other fields than these. */
export function acceptObject(value: unknown, { what, fields }: ObjectRules): void {
  if (!isPlainObject(value))
    throw new MemoryError('invalid-input', `${what} must be an object, not ${describeValue(value)}`)
  const unknown = Object.keys(value).find((field) => !fields.includes(field))
  if (unknown === undefined) return
  throw new MemoryError('invalid-input', `unknown field "${unknown}" in ${what}`, {
    hint: `known fields: ${fields.join(', ')}`,
  })
}

/** One of a few words. */
export function acceptChoice<Choice extends string>(
  value: unknown,
  { what, choices }: { readonly what: string; readonly choices: readonly Choice[] },
): Choice {
  return check(z.enum(choices as [Choice, ...Choice[]]), value, { what }) as Choice
}

export const acceptFlag = (value: unknown, what: string): boolean => check(z.boolean(), value, { what })
