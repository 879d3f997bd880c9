import { MemoryError } from '../domain/errors.ts'
import { type ConversationId, conversationId } from '../domain/ids.ts'
import type { ResolvedLimits } from '../options/limit-options.ts'
import { acceptText } from './accept-json.ts'

/** Line ends and other control characters break logs, exports and terminals. */
const CONTROL = /\p{Cc}/u

interface NameRules {
  /** What it is, for the error. */
  readonly what: string
  readonly most: number
}

/** An id, key, name, tag or title: text that fits on a line. */
export function acceptName(value: unknown, { what, most }: NameRules): string {
  if (typeof value !== 'string' || value.trim() === '') {
    throw new MemoryError('invalid-input', `${what} must be a text that is not empty`)
  }
  if (value.length > most) {
    throw new MemoryError('too-large', `${what} has ${value.length} characters; the most is ${most}`)
  }
  acceptText(value, what)
  if (CONTROL.test(value)) {
    throw new MemoryError('invalid-input', `${what} has control characters in it`, {
      hint: 'leave out line ends, tabs and NUL',
    })
  }
  return value
}

export function acceptConversationId(value: unknown, { idCharacters }: ResolvedLimits): ConversationId {
  return conversationId(acceptName(value, { what: 'a conversation id', most: idCharacters }))
}
