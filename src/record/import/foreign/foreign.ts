// The neutral form that format readers produce: conversations with a current branch and other branches, facts, and
// single messages. Nothing is validated yet: texts may be too long, timestamps may be in the future.

import type { JsonObject, JsonValue } from '../../../domain/json.ts'
import type { NewMessage } from '../../../schemas/message.ts'
import { isPlainObject } from '../../../schemas/values.ts'
import type { ImportFormat } from '../imported.ts'

export interface ForeignMessage extends Omit<NewMessage, 'id' | 'createdAt' | 'importance'> {
  /** Unique within the conversation, and stable across exports. */
  readonly id: string
  readonly createdAt?: Date
}

/** Messages on a branch other than the current one. */
export interface ForeignBranch {
  /** The message before the branch; missing if it starts from the beginning. */
  readonly after?: string
  readonly messages: readonly ForeignMessage[]
}

export interface ForeignConversation {
  readonly kind: 'conversation'
  readonly id: string
  readonly title?: string
  readonly createdAt?: Date
  readonly tags?: readonly string[]
  readonly isPinned?: boolean
  readonly isArchived?: boolean
  readonly isMemoryOn?: boolean
  readonly metadata?: JsonObject
  /** The current branch. */
  readonly messages: readonly ForeignMessage[]
  /** Ordered so that each branch starts from a message before it. */
  readonly branches: readonly ForeignBranch[]
  /** Further parts of it may follow. */
  readonly isPart?: true
  /** The last message of an earlier part of the same conversation. */
  readonly continues?: string
  readonly problems: readonly ForeignProblem[]
}

/** A fact of another memory. */
export interface ForeignFact {
  /** The same in every export. */
  readonly id: string
  readonly text: string
  readonly createdAt?: Date
  readonly validUntil?: Date
}

export interface ForeignFacts {
  readonly kind: 'facts'
  readonly facts: readonly ForeignFact[]
}

/** A single message, with or without a conversation id. */
export interface LooseMessage {
  readonly kind: 'message'
  readonly conversationId?: string
  readonly message: Omit<ForeignMessage, 'id'>
}

export interface ForeignProblem {
  /** Within the record: `message 4`; empty for all of it. */
  readonly place: string
  readonly reason: string
  readonly isSkipped: boolean
  /** Reported only the first time in an import. */
  readonly isOnce?: boolean
}

export type Foreign = ForeignConversation | ForeignFacts | LooseMessage

/** The reader of one format. */
export interface ForeignFormat {
  readonly name: ImportFormat
  /** The name of a record, for messages. */
  readonly noun: string
  recognizes(value: unknown): boolean
  /** Throws if the value is not a record of this format. `text` is the JSON of the value. */
  read(value: unknown, text: string): Foreign
}

// Lenient access to JSON of other programs: a value of an unexpected type counts as missing.

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
