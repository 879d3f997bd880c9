// Imported messages are validated like all others. Minor problems that would reject a message are repaired first and
// reported: unpaired surrogates, implausible timestamps, oversized metadata.

import { Digest } from '../../../domain/digest.ts'
import { type ConversationId, conversationId, type MessageId, messageId } from '../../../domain/ids.ts'
import type { JsonObject } from '../../../domain/json.ts'
import type { Content } from '../../../domain/message.ts'
import type { ResolvedLimits } from '../../../options/limit-options.ts'
import type { NewMessage } from '../../../schemas/message.ts'
import type { ForeignMessage } from '../foreign/foreign.ts'
import type { ImportFormat } from '../imported.ts'

interface Prepared {
  readonly message: Omit<NewMessage, 'id' | 'createdAt'> & { readonly createdAt: Date }
  /** Descriptions of the repairs. */
  readonly changes: readonly string[]
}

interface PrepareRules {
  readonly limits: ResolvedLimits
  readonly now: Date
  /** For a message without a timestamp. */
  readonly time: Date
}

export function prepareMessage(foreign: ForeignMessage, rules: PrepareRules): Prepared {
  const changes: string[] = []
  const { role, createdAt, name, metadata } = foreign
  const content = repairContent(foreign.content, rules.limits.depth)
  if (content !== foreign.content) changes.push('replaced an unpaired surrogate')
  const isTimePlausible = createdAt === undefined || isPlausible(createdAt, rules)
  if (!isTimePlausible)
    changes.push(
      `implausible timestamp ${describeTime(createdAt)}; replaced by the time of a neighboring message`,
    )
  const kept = metadata === undefined ? undefined : fitMetadata(metadata, rules.limits)
  if (kept !== metadata) changes.push('its metadata was too large or invalid; only part of it was kept')
  const speaker = name === undefined ? undefined : toLine(name, rules.limits.idCharacters)
  const message = {
    role,
    content,
    createdAt: isTimePlausible && createdAt !== undefined ? createdAt : rules.time,
    ...(speaker !== undefined && { name: speaker }),
    ...(kept !== undefined && { metadata: kept }),
  }
  return { message, changes }
}

export function isPlausible(time: Date, { now, limits }: Pick<PrepareRules, 'now' | 'limits'>): boolean {
  return time.getTime() >= 0 && time.getTime() - now.getTime() <= limits.futureMs
}

function describeTime(time: Date): string {
  const year = time.getUTCFullYear()
  return year >= 0 && year <= 9999 ? time.toISOString() : `the year ${year}`
}

/** Returns the same object if there is nothing to repair. */
function repairContent(content: Content, depth: number): Content {
  if (typeof content === 'string') return content.isWellFormed() ? content : content.toWellFormed()
  return isSound(content, depth) ? content : (repair(content, depth) as Content)
}

/** Deeper nesting is rejected by validation anyway. */
function isSound(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null || depth < 0) return true
  return Object.entries(value).every(([key, item]) => key.isWellFormed() && isSound(item, depth - 1))
}

function repair(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null || depth < 0) return value
  if (Array.isArray(value)) return value.map((item) => repair(item, depth - 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.toWellFormed(), repair(item, depth - 1)]),
  )
}

/** Keeps as much as the limits allow, smallest fields first; returns the same object if everything fits. */
export function fitMetadata(metadata: JsonObject, { metadataBytes, depth }: ResolvedLimits): JsonObject {
  const sound = isSound(metadata, depth) ? metadata : (repair(metadata, depth) as JsonObject)
  if (!isDeeperThan(sound, depth) && sizeOf(sound) <= metadataBytes) return sound
  const fields = Object.entries(sound)
    .filter(([, value]) => !isDeeperThan(value, depth - 1))
    .map(([name, value]) => ({ name, value, size: sizeOf({ [name]: value }) }))
    .sort((left, right) => left.size - right.size)
  let left = metadataBytes
  const kept = fields.filter(({ size }) => {
    left -= size
    return left >= 0
  })
  return Object.fromEntries(kept.map(({ name, value }) => [name, value]))
}

/** Upper bound in bytes: a UTF-16 unit takes at most three. */
const sizeOf = (value: JsonObject): number => JSON.stringify(value).length * 3

/** Whether a value is nested deeper than `depth`. */
export function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some((item) => isDeeperThan(item, depth - 1))
}

/** One line of at most `most` characters; undefined if nothing is left. */
export function toLine(text: string, most: number): string | undefined {
  const line = text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed()
  return line === '' ? undefined : line
}

/** An invalid id is replaced by a digest of it: ids must be the same in every run. */
function toId(text: string, { idCharacters }: ResolvedLimits): string {
  const isFine = text.length <= idCharacters && text.isWellFormed() && !/\p{Cc}/u.test(text)
  return isFine ? text : `${text.slice(0, 20).replaceAll(/[^\w-]/g, '_')}.${new Digest().add(text)}`
}

/** Our id for a conversation of another program. */
export function toConversationId(format: ImportFormat, id: string, limits: ResolvedLimits): ConversationId {
  return conversationId(toId(`${format}-${id}`, limits))
}

/** Other programs reuse a message id in several conversations. */
export function toMessageId(conversation: ConversationId, id: string, limits: ResolvedLimits): MessageId {
  return messageId(toId(`${conversation}.${id}`, limits))
}

/** The conversation id of a branch, made from its first message. */
export function toForkId(conversation: ConversationId, id: string, limits: ResolvedLimits): ConversationId {
  return conversationId(toId(`${conversation}.${id}`, limits))
}
