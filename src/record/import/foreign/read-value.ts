// Lenient access to JSON of other programs: a value of an unexpected type counts as missing.

import type { JsonObject, JsonValue } from '../../../domain/json.ts'
import { isPlainObject } from '../../../schemas/values.ts'

export type Fields = Readonly<Record<string, unknown>>

const NO_FIELDS: Fields = Object.freeze({})

/** The fields of an object; none for anything else. */
export function fieldsOf(value: unknown): Fields {
  return isPlainObject(value) ? value : NO_FIELDS
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

/** Drops null and empty fields. */
export function keep(fields: Readonly<Record<string, unknown>>): JsonObject {
  const kept = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  return Object.fromEntries(kept) as JsonObject
}

/** The same as message metadata; missing if there is nothing to keep. */
export function keepAny(fields: Readonly<Record<string, unknown>>): { metadata?: JsonObject } {
  const metadata = keep(fields)
  return Object.keys(metadata).length === 0 ? {} : { metadata }
}

/** Parses a JSON string; returns the string itself if it is not JSON. */
export function readJsonText(text: string): JsonValue {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** As seconds this is the year 5138, as milliseconds 1973. */
const SECONDS_BELOW = 1e11
const MILLISECONDS_BELOW = 1e14
const MICROSECONDS_BELOW = 1e17

/** A timestamp: seconds, milliseconds, microseconds or nanoseconds since 1970, or a string. */
export function readTime(value: unknown): Date | undefined {
  const moment = typeof value === 'string' ? readText(value.trim()) : readNumber(value)
  return moment === undefined || Number.isNaN(moment.getTime()) ? undefined : moment
}

function readNumber(value: unknown): Date | undefined {
  if (typeof value !== 'number' || value === 0) return undefined
  if (value < SECONDS_BELOW) return new Date(Math.round(value * 1000))
  if (value < MILLISECONDS_BELOW) return new Date(Math.round(value))
  return new Date(Math.round(value / (value < MICROSECONDS_BELOW ? 1e3 : 1e6)))
}

const WITHOUT_ZONE = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)$/

function readText(text: string): Date | undefined {
  if (/^\d{9,19}(?:\.\d+)?$/.test(text)) return readNumber(Number(text))
  // Without a zone, servers mean UTC; `new Date` would use the local zone.
  const [, day, time] = WITHOUT_ZONE.exec(text) ?? []
  if (day !== undefined) return new Date(`${day}T${time}Z`)
  return /\d{4}/.test(text) ? new Date(text) : undefined
}
