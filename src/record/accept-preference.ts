import { MemoryError } from '../domain/errors.ts'
import type { JsonValue } from '../domain/json.ts'
import type { ResolvedLimits } from '../options/limit-options.ts'
import { check } from '../schemas/check.ts'
import { preferenceValue } from '../schemas/knowledge.ts'
import { checkName } from '../schemas/values.ts'

export const acceptPreferenceKey = (key: unknown, limits: ResolvedLimits): string =>
  checkName(key, 'the key of a preference', limits)

export function acceptPreferenceValue(value: unknown, limits: ResolvedLimits): JsonValue {
  if (value === undefined)
    throw new MemoryError('invalid-input', 'a preference needs a value', { hint: 'delete(key) removes it' })
  return check(preferenceValue, value, { limits, what: 'the value of a preference' })
}
