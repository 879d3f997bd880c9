// What may enter the record is decided here, once and for all stores alike: the schema of a message, its size in
// bytes and its time. What passes is stored exactly. NUL is a character like any other.

import { MemoryError } from '../domain/errors.ts'
import { messageId, newId } from '../domain/ids.ts'
import { type Content, withCurrentPartNames } from '../domain/message.ts'
import { countMessageTokens } from '../domain/tokens.ts'
import type { Tokenizer } from '../model/models.ts'
import type { ResolvedLimits } from '../options/limit-options.ts'
import { check } from '../schemas/check.ts'
import { type NewMessage, newMessage } from '../schemas/message.ts'
import { checkNotFuture, utf8Bytes } from '../schemas/values.ts'
import type { AcceptedMessage } from '../store/store.ts'

export interface DoorRules {
  readonly limits: ResolvedLimits
  readonly tokenizer: Tokenizer
  readonly now: Date
}

export function acceptMessage(message: NewMessage, { limits, tokenizer, now }: DoorRules): AcceptedMessage {
  const { id, role, name, createdAt, importance, metadata } = check(newMessage, message, { limits })
  const content = copyContent(message.content, limits)
  return {
    id: messageId(id ?? newId(now)),
    role,
    content,
    ...(name !== undefined && { name }),
    createdAt: createdAt === undefined ? now : checkNotFuture(createdAt, now, limits),
    recordedAt: now,
    ...(importance !== undefined && { importance }),
    ...(metadata !== undefined && { metadata }),
    tokens: countMessageTokens((text) => tokenizer.count(text), { content, name }),
    tokenizer: tokenizer.name,
  }
}

/** As it will be read back: under current names, without undefined fields, and out of the caller's hands. */
function copyContent(content: Content, limits: ResolvedLimits): Content {
  if (typeof content !== 'string') {
    const json = JSON.stringify(withCurrentPartNames(content))
    checkSize(json, limits)
    return JSON.parse(json)
  }
  // Escaped, a character takes six bytes at most: short texts need no counting.
  if (content.length * 6 > limits.messageBytes) checkSize(JSON.stringify(content), limits)
  return content
}

function checkSize(json: string, { messageBytes }: ResolvedLimits): void {
  if (json.length * 3 <= messageBytes) return
  const bytes = utf8Bytes(json)
  if (bytes <= messageBytes) return
  throw new MemoryError('too-large', `a message has ${bytes} bytes; the maximum is ${messageBytes}`, {
    hint: 'pass large files as references, or raise the option limits.messageBytes',
  })
}
