// Messages of other programs pass the same door as all others. What would keep one out for a trifle is mended
// before, and told: half a character, a time that cannot be, metadata of unusual size.

import type { JsonObject } from '../../../domain/json.ts'
import type { Content, NewMessage } from '../../../domain/message.ts'
import type { ResolvedLimits } from '../../../options/limit-options.ts'
import type { ForeignMessage } from '../foreign/foreign.ts'

export interface Prepared {
  readonly message: Omit<NewMessage, 'id' | 'createdAt'> & { readonly createdAt: Date }
  /** What was mended, in words. */
  readonly changes: readonly string[]
}

export interface PrepareRules {
  readonly limits: ResolvedLimits
  readonly now: Date
  /** For a message without a time of its own. */
  readonly time: Date
}

export function prepareMessage(foreign: ForeignMessage, rules: PrepareRules): Prepared {
  const changes: string[] = []
  const { role, createdAt, name, metadata } = foreign
  const content = mendContent(foreign.content, rules.limits.depth)
  if (content !== foreign.content) changes.push('half a character in it was replaced')
  const isTimePossible = createdAt === undefined || isPossible(createdAt, rules)
  if (!isTimePossible)
    changes.push(`it cannot have been said at ${describeTime(createdAt)}; it got a time near it`)
  const kept = metadata === undefined ? undefined : fitMetadata(metadata, rules.limits)
  if (kept !== metadata) changes.push('its metadata was too large or broken; what could be kept was kept')
  const speaker = name === undefined ? undefined : toLine(name, rules.limits.idCharacters)
  const message = {
    role,
    content,
    createdAt: isTimePossible && createdAt !== undefined ? createdAt : rules.time,
    ...(speaker !== undefined && { name: speaker }),
    ...(kept !== undefined && { metadata: kept }),
  }
  return { message, changes }
}

export function isPossible(time: Date, { now, limits }: Pick<PrepareRules, 'now' | 'limits'>): boolean {
  return time.getTime() >= 0 && time.getTime() - now.getTime() <= limits.futureMs
}

function describeTime(time: Date): string {
  const year = time.getUTCFullYear()
  return year >= 0 && year <= 9999 ? time.toISOString() : `the year ${year}`
}

/** The same object where there is nothing to mend. */
function mendContent(content: Content, depth: number): Content {
  if (typeof content === 'string') return content.isWellFormed() ? content : content.toWellFormed()
  return isSound(content, depth) ? content : (mend(content, depth) as Content)
}

/** What is nested deeper does not pass the door anyway. */
function isSound(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null || depth < 0) return true
  return Object.entries(value).every(([key, item]) => key.isWellFormed() && isSound(item, depth - 1))
}

function mend(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null || depth < 0) return value
  if (Array.isArray(value)) return value.map((item) => mend(item, depth - 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.toWellFormed(), mend(item, depth - 1)]),
  )
}

/** As much of it as passes the door, the smallest fields first; the same object where all of it does. */
export function fitMetadata(metadata: JsonObject, { metadataBytes, depth }: ResolvedLimits): JsonObject {
  const sound = isSound(metadata, depth) ? metadata : (mend(metadata, depth) as JsonObject)
  if (!nests(sound, depth) && sizeOf(sound) <= metadataBytes) return sound
  const fields = Object.entries(sound)
    .filter(([, value]) => !nests(value, depth - 1))
    .map(([name, value]) => ({ name, value, size: sizeOf({ [name]: value }) }))
    .sort((left, right) => left.size - right.size)
  let left = metadataBytes
  const kept = fields.filter(({ size }) => {
    left -= size
    return left >= 0
  })
  return Object.fromEntries(kept.map(({ name, value }) => [name, value]))
}

/** In bytes, rather too high: a character takes three at most. */
const sizeOf = (value: JsonObject): number => JSON.stringify(value).length * 3

/** Whether it nests deeper than that. */
export function nests(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some((item) => nests(item, depth - 1))
}

/** A text for one line, of at most so many characters; undefined where nothing is left. */
export function toLine(text: string, most: number): string | undefined {
  const line = text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed()
  return line === '' ? undefined : line
}
