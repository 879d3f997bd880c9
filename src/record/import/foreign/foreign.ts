// The neutral form that format readers produce: conversations with a current branch and other branches, facts, and
// single messages. Nothing is validated yet: texts may be too long, timestamps may be in the future.

import { Digest } from '../../../domain/digest.ts'
import type { JsonObject, JsonValue } from '../../../domain/json.ts'
import type { Content, FilePart, ImagePart, Part, Role, ToolResultPart } from '../../../domain/message.ts'
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
  /** Saved to the program's memory in this conversation. */
  readonly facts?: readonly ForeignFact[]
  readonly repeated?: readonly RepeatedFacts[]
  readonly problems: readonly ForeignProblem[]
}

/** A fact of another memory. */
export interface ForeignFact {
  /** The same in every export. */
  readonly id: string
  readonly text: string
  readonly createdAt?: Date
  readonly validUntil?: Date
  /** @default "fact" */
  readonly kind?: 'preference'
}

/** Facts that a conversation repeats from the program's own memory or settings. */
export interface RepeatedFacts {
  /** Of facts with the same name, only those of the latest conversation are current. */
  readonly name: string
  readonly at: Date
  readonly facts: readonly ForeignFact[]
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

// Other programs store text, tool calls and tool results of the assistant in one message. Here, results are separate
// messages with the role `tool`, after the message with the calls.

interface Stretch {
  readonly role: Role
  readonly parts: Part[]
}

/** Splits one message into several, in order. */
export function splitTurn(
  message: Omit<ForeignMessage, 'content' | 'role'>,
  role: 'user' | 'assistant',
  parts: readonly Part[],
): readonly ForeignMessage[] {
  const stretches: Stretch[] = []
  for (const part of parts) {
    const spoken = part.type === 'tool-result' ? 'tool' : role
    const last = stretches.at(-1)
    const isFull = part.type === 'tool-result' && last !== undefined && hasResult(last, part)
    if (last?.role === spoken && !isFull) last.parts.push(part)
    else stretches.push({ role: spoken, parts: [part] })
  }
  return stretches.map((stretch, i) => ({
    ...message,
    id: i === 0 ? message.id : `${message.id}.${i + 1}`,
    role: stretch.role,
    content: toContent(stretch.parts),
  }))
}

/** One message cannot have two results for the same call. */
function hasResult({ parts }: Stretch, { toolCallId }: ToolResultPart): boolean {
  return parts.some((part) => part.type === 'tool-result' && part.toolCallId === toolCallId)
}

/** A string if there is nothing but one text part. */
export function toContent(parts: readonly Part[]): Content {
  const [first] = parts
  return parts.length === 1 && first?.type === 'text' ? first.text : parts
}

/** No part for blank text. */
export function textPart(text: string | undefined): readonly Part[] {
  return text === undefined || text.trim() === '' ? [] : [{ type: 'text', text }]
}

export function reasoningPart(text: string | undefined): readonly Part[] {
  return text === undefined || text.trim() === '' ? [] : [{ type: 'reasoning', text }]
}

interface ForeignFile {
  readonly url: string
  readonly name?: string | undefined
  readonly mediaType?: string | undefined
  readonly width?: unknown
  readonly height?: unknown
}

/** A file or image as a reference. */
export function toReference(file: ForeignFile): FilePart | ImagePart {
  const { address, mediaType = file.mediaType } = withoutBytes(file.url)
  const size = {
    ...(typeof file.width === 'number' && file.width > 0 && { width: file.width }),
    ...(typeof file.height === 'number' && file.height > 0 && { height: file.height }),
  }
  const media = mediaType === undefined ? {} : { mediaType }
  if (mediaType?.startsWith('image/') === true) return { type: 'image', url: address, ...media, ...size }
  return {
    type: 'file',
    url: address,
    ...(file.name !== undefined && file.name !== '' && { name: file.name }),
    ...media,
  }
}

/** File content is not stored: a data URL is replaced by its type and a digest. */
function withoutBytes(url: string): { readonly address: string; readonly mediaType?: string } {
  const [, mediaType] = /^data:([\w.+-]+\/[\w.+-]+)?[;,]/.exec(url.slice(0, 200)) ?? []
  if (!url.startsWith('data:')) return { address: url }
  const address = `omitted:${new Digest().add(url)}`
  return mediaType === undefined ? { address } : { address, mediaType }
}

/** See `limits.factCharacters`. */
const MAX_FACT_CHARACTERS = 500

/** One statement, or several if it is too long. */
export function toStatements(text: string): readonly string[] {
  return text.length <= MAX_FACT_CHARACTERS ? [text] : splitStatements(text)
}

/** Splits a text into statements: paragraphs and list items, long ones split after sentences. */
export function splitStatements(text: string): readonly string[] {
  const lines = text
    .split(/\n+/)
    .map((line) => line.replace(/^\s*(?:[-*•]|\d+\.)\s+/, '').trim())
    // Skip headings.
    .filter((line) => line !== '' && !/^#+\s/.test(line) && !/^\*\*[^*]+\*\*:?$/.test(line))
  return lines.flatMap((line) => (line.length <= MAX_FACT_CHARACTERS ? [line] : cut(line)))
}

function cut(line: string): readonly string[] {
  const pieces: string[] = []
  for (const sentence of line.split(/(?<=[.!?])\s+/)) {
    const last = pieces.at(-1)
    if (last !== undefined && last.length + sentence.length < MAX_FACT_CHARACTERS)
      pieces.splice(-1, 1, `${last} ${sentence}`)
    else
      for (let at = 0; at < sentence.length; at += MAX_FACT_CHARACTERS)
        pieces.push(sentence.slice(at, at + MAX_FACT_CHARACTERS))
  }
  return pieces
}
