import { type ConversationId, conversationId } from '../domain/ids.ts'
import type { ResolvedLimits } from '../options/limit-options.ts'
import { check } from '../schemas/check.ts'
import { name } from '../schemas/values.ts'

interface NameRules {
  /** What it is, for the error. */
  readonly what: string
  readonly most: number
}

/** Built once for each limit: every call of `memory.conversation(id)` comes here. */
const schemas = new Map<number, ReturnType<typeof name>>()

function schemaOf(most: number): ReturnType<typeof name> {
  const schema = schemas.get(most) ?? name(most)
  schemas.set(most, schema)
  return schema
}

/** An id, key, name, tag or title: text on one line. */
export function acceptName(value: unknown, { what, most }: NameRules): string {
  return check(schemaOf(most), value, { what })
}

export function acceptConversationId(value: unknown, { idCharacters }: ResolvedLimits): ConversationId {
  return conversationId(acceptName(value, { what: 'a conversation id', most: idCharacters }))
}
