import { MemoryError } from '../domain/errors.ts'
import type { JsonValue } from '../domain/json.ts'
import type { ResolvedLimits } from '../options/limit-options.ts'
import { acceptName } from './accept-id.ts'
import { acceptJson, utf8Bytes } from './accept-json.ts'

export function acceptPreferenceKey(key: unknown, { idCharacters }: ResolvedLimits): string {
  return acceptName(key, { what: 'the key of a preference', most: idCharacters })
}

/** A copy of our own, as it will be read back. */
export function acceptPreferenceValue(value: unknown, limits: ResolvedLimits): JsonValue {
  if (value === undefined) {
    throw new MemoryError('invalid-input', 'a preference needs a value', {
      hint: 'clear(key) takes a preference away',
    })
  }
  acceptJson(value, { what: 'the value of a preference', depth: limits.depth })
  const json = JSON.stringify(value)
  if (json.length <= limits.preferenceBytes && utf8Bytes(json) <= limits.preferenceBytes)
    return JSON.parse(json)
  throw new MemoryError('too-large', `a preference has more than ${limits.preferenceBytes} bytes`, {
    hint: 'keep large things elsewhere and refer to them, or raise the option limits.preferenceBytes',
  })
}
