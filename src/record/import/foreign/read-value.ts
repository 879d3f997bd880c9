// Other programs' JSON is read as it comes: what has another shape than expected is as good as missing.

import type { JsonObject, JsonValue } from '../../../domain/json.ts'
import { isPlainObject } from '../../accept-json.ts'

export type Fields = Readonly<Record<string, unknown>>

const NONE: Fields = Object.freeze({})

/** An object's fields; none for anything else. */
export function fieldsOf(value: unknown): Fields {
  return isPlainObject(value) ? value : NONE
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** An id, which some programs write as a number. */
export function idOf(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : textOf(value)
}

/** Fields that are worth keeping: null and nothing are left out. */
export function keep(fields: Readonly<Record<string, unknown>>): JsonObject {
  const kept = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  return Object.fromEntries(kept) as JsonObject
}

/** The same as metadata of a message; missing where there is nothing to keep. */
export function keepAny(fields: Readonly<Record<string, unknown>>): { metadata?: JsonObject } {
  const metadata = keep(fields)
  return Object.keys(metadata).length === 0 ? {} : { metadata }
}

/** JSON text of another program, as what it says; as the text itself where it says nothing. */
export function readJsonText(text: string): JsonValue {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
