// The door. What may enter the record is decided here, once and for all stores alike; whatever passes is
// kept exactly. NUL is a character like any other; half of a surrogate pair is none (accept-json.ts).

import { MemoryError } from '../domain/errors.ts'
import { messageId, newId } from '../domain/ids.ts'
import type { JsonObject } from '../domain/json.ts'
import {
  type Content,
  type NewMessage,
  type Part,
  ROLES,
  type Role,
  withCurrentPartNames,
} from '../domain/message.ts'
import { countMessageTokens } from '../domain/tokens.ts'
import type { Tokenizer } from '../model/tokenizer.ts'
import type { ResolvedLimits } from '../options/limit-options.ts'
import type { AcceptedMessage } from '../store/store.ts'
import { acceptName } from './accept-id.ts'
import { acceptJson, acceptText, isPlainObject, utf8Bytes } from './accept-json.ts'

export interface DoorRules {
  readonly limits: ResolvedLimits
  readonly tokenizer: Tokenizer
  readonly now: Date
}

const FIELDS = ['id', 'role', 'content', 'name', 'createdAt', 'importance', 'metadata'] as const

export function acceptMessage(message: NewMessage, rules: DoorRules): AcceptedMessage {
  acceptShape(message)
  const role = acceptRole(message.role)
  const content = acceptContent(message.content, role, rules.limits)
  const name =
    message.name === undefined ? undefined : acceptName(message.name, short('a speaker name', rules))
  return {
    id: messageId(
      message.id === undefined ? newId(rules.now) : acceptName(message.id, short('a message id', rules)),
    ),
    role,
    content,
    ...(name !== undefined && { name }),
    createdAt: acceptTime(message.createdAt, rules),
    recordedAt: rules.now,
    ...(message.importance !== undefined && { importance: acceptImportance(message.importance) }),
    ...(message.metadata !== undefined && { metadata: acceptMetadata(message.metadata, rules.limits) }),
    tokens: countMessageTokens((text) => rules.tokenizer.count(text), { content, name }),
    tokenizer: rules.tokenizer.name,
  }
}

const short = (what: string, { limits }: DoorRules) => ({ what, most: limits.idCharacters })

function acceptShape(message: unknown): void {
  if (!isPlainObject(message)) throw new MemoryError('invalid-input', 'a message must be an object')
  const unknown = Object.keys(message).find((field) => !(FIELDS as readonly string[]).includes(field))
  if (unknown === undefined) return
  throw new MemoryError('invalid-input', `a message has no field "${unknown}"`, {
    hint: `its fields are ${FIELDS.join(', ')}; tool calls and results are parts of the content, anything else goes into metadata`,
  })
}

function acceptRole(role: unknown): Role {
  if ((ROLES as readonly unknown[]).includes(role)) return role as Role
  throw new MemoryError('invalid-input', `a message cannot have the role ${JSON.stringify(role)}`, {
    hint: `the roles are ${ROLES.join(', ')}`,
  })
}

function acceptContent(given: unknown, role: Role, limits: ResolvedLimits): Content {
  const content = withCurrentPartNames(given)
  if (typeof content === 'string') {
    acceptText(content, 'the content')
    if (role === 'tool') throw toolWithoutResult()
    // Escaped, a character takes six bytes at most: short texts need no counting.
    if (content.length * 6 > limits.messageBytes) acceptSize(JSON.stringify(content), limits)
    return content
  }
  if (!Array.isArray(content)) {
    throw new MemoryError('invalid-input', 'the content of a message must be a text or an array of parts')
  }
  if (content.length > limits.messageParts) {
    throw new MemoryError(
      'too-large',
      `a message has ${content.length} parts; the most is ${limits.messageParts}`,
    )
  }
  const parts = content.map((part, i) =>
    acceptPart(part, { role, what: `content[${i}]`, depth: limits.depth }),
  )
  if (role === 'tool' && parts.length === 0) throw toolWithoutResult()
  acceptCallIds(parts)
  const json = JSON.stringify(parts)
  acceptSize(json, limits)
  // A copy of our own, as it will be read back: without undefined fields, and out of the caller's hands.
  return JSON.parse(json)
}

function toolWithoutResult(): MemoryError {
  return new MemoryError('invalid-input', 'a message of the role tool must hold the results of tool calls', {
    hint: 'content: [{ type: "tool-result", toolCallId: "…", output: … }]',
  })
}

function acceptSize(json: string, { messageBytes }: ResolvedLimits): void {
  if (json.length * 3 <= messageBytes) return
  const bytes = utf8Bytes(json)
  if (bytes <= messageBytes) return
  throw new MemoryError('too-large', `a message has ${bytes} bytes; the most is ${messageBytes}`, {
    hint: 'give large files as references, or raise the option limits.messageBytes',
  })
}

/** Which fields a part must have, and which roles may have it. */
const PARTS: Record<Part['type'], { texts: readonly string[]; json?: string; roles: readonly Role[] }> = {
  text: { texts: ['text'], roles: ['system', 'user', 'assistant'] },
  reasoning: { texts: ['text'], roles: ['assistant'] },
  image: { texts: ['url'], roles: ['user', 'assistant'] },
  file: { texts: ['url'], roles: ['user', 'assistant'] },
  'tool-call': { texts: ['toolCallId', 'toolName'], json: 'input', roles: ['assistant'] },
  'tool-result': { texts: ['toolCallId'], json: 'output', roles: ['tool'] },
}

const OPTIONAL_TEXTS = ['toolName', 'name', 'mediaType', 'detail'] as const
const OPTIONAL_NUMBERS = ['tokens', 'width', 'height'] as const

interface PartPlace {
  readonly role: Role
  readonly what: string
  readonly depth: number
}

function acceptPart(part: unknown, { role, what, depth }: PartPlace): Part {
  acceptJson(part, { what, depth: depth + 1 })
  const rules = isPlainObject(part) ? PARTS[part['type'] as Part['type']] : undefined
  if (!isPlainObject(part) || rules === undefined) {
    throw new MemoryError('invalid-input', `${what} is not a part that Recollect knows`, {
      hint: `a part is an object with a type: ${Object.keys(PARTS).join(', ')}`,
    })
  }
  if (!rules.roles.includes(role)) {
    throw new MemoryError(
      'invalid-input',
      `${what}: a message of the role ${role} cannot have a ${part['type']} part`,
      {
        hint: `only ${rules.roles.join(', ')} can`,
      },
    )
  }
  const isBad = (field: string, isRequired: boolean) =>
    part[field] === undefined
      ? isRequired
      : typeof part[field] !== 'string' || (field !== 'text' && part[field] === '')
  const badText =
    rules.texts.find((field) => isBad(field, true)) ?? OPTIONAL_TEXTS.find((field) => isBad(field, false))
  const badNumber = OPTIONAL_NUMBERS.find((field) => part[field] !== undefined && !(Number(part[field]) >= 0))
  const missing = rules.json !== undefined && part[rules.json] === undefined ? rules.json : undefined
  const wrong = badText ?? badNumber ?? missing
  if (wrong === undefined) return part as unknown as Part
  throw new MemoryError('invalid-input', `${what}: a ${part['type']} part needs a proper "${wrong}"`)
}

/** Two calls with one id in a message cannot be told apart by their results. */
function acceptCallIds(parts: readonly Part[]): void {
  const ids = parts.flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : []))
  const doubled = ids.find((id, i) => ids.indexOf(id) !== i)
  if (doubled === undefined) return
  throw new MemoryError('invalid-input', `duplicate toolCallId "${doubled}" in one message`, {
    hint: 'give every tool call of a message, and every result, a different toolCallId',
  })
}

export function acceptTime(time: unknown, { now, limits }: Pick<DoorRules, 'now' | 'limits'>): Date {
  if (time === undefined) return now
  const date = time instanceof Date || typeof time === 'string' ? new Date(time) : new Date(Number.NaN)
  if (Number.isNaN(date.getTime()) || date.getTime() < 0) {
    throw new MemoryError('invalid-input', `createdAt is not a time since 1970: ${String(time)}`, {
      hint: 'give a Date or a text such as 2026-05-01T12:00:00Z',
    })
  }
  if (date.getTime() - now.getTime() <= limits.futureMs) return date
  throw new MemoryError('invalid-input', `createdAt lies in the future: ${date.toISOString()}`, {
    hint: 'is it in seconds or in another time zone? The option limits.futureMs says how far ahead is accepted',
  })
}

function acceptImportance(importance: unknown): number {
  if (typeof importance === 'number' && importance >= 0 && importance <= 1) return importance
  throw new MemoryError('invalid-input', `importance must lie between 0 and 1, not ${String(importance)}`)
}

export function acceptMetadata(metadata: unknown, limits: ResolvedLimits): JsonObject {
  if (!isPlainObject(metadata)) throw new MemoryError('invalid-input', 'metadata must be a plain object')
  acceptJson(metadata, { what: 'metadata', depth: limits.depth })
  const json = JSON.stringify(metadata)
  if (json.length > limits.metadataBytes || utf8Bytes(json) > limits.metadataBytes) {
    throw new MemoryError('too-large', `metadata has more than ${limits.metadataBytes} bytes`, {
      hint: 'keep large things elsewhere and refer to them, or raise the option limits.metadataBytes',
    })
  }
  return JSON.parse(json)
}
