import { type ConversationId, conversationId } from '../domain/ids.ts'
import type { ResolvedLimits } from '../options/limit-options.ts'
import { check } from '../schemas/check.ts'
import { name } from '../schemas/values.ts'

interface NameRules {
  /** What it is, for the error. */
  readonly what: string
  readonly most: number
}

/** An id, key, name, tag or title: text on one line. */
export function acceptName(value: unknown, { what, most }: NameRules): string {
  return check(name(most), value, { what })
}

export function acceptConversationId(value: unknown, { idCharacters }: ResolvedLimits): ConversationId {
  return conversationId(acceptName(value, { what: 'a conversation id', most: idCharacters }))
}
