import { z } from 'zod'
import { definedFields } from '../domain/defined-fields.ts'
import { MemoryError } from '../domain/errors.ts'
import { type ConversationId, conversationId } from '../domain/ids.ts'
import { withScope } from '../domain/scope.ts'
import type { ResolvedLimits } from '../options/limit-options.ts'
import { check, describeValue } from '../schemas/check.ts'
import { type ConversationChanges, conversationChanges } from '../schemas/conversation.ts'
import { isPlainObject, moment, name } from '../schemas/values.ts'
import type { ConversationFields } from '../store/store.ts'

interface ObjectRules {
  /** What it is, for the error. */
  readonly what: string
  readonly fields: readonly string[]
}

/** A plain object that has no other fields than these. */
export function acceptObject(value: unknown, { what, fields }: ObjectRules): void {
  if (!isPlainObject(value))
    throw new MemoryError('invalid-input', `${what} must be an object, not ${describeValue(value)}`)
  const unknown = Object.keys(value).find((field) => !fields.includes(field))
  if (unknown === undefined) return
  throw new MemoryError('invalid-input', `unknown field "${unknown}" in ${what}`, {
    hint: `known fields: ${fields.join(', ')}`,
  })
}

/** One of a few words. */
export function acceptChoice<Choice extends string>(
  value: unknown,
  { what, choices }: { readonly what: string; readonly choices: readonly Choice[] },
): Choice {
  return check(z.enum(choices as [Choice, ...Choice[]]), value, { what }) as Choice
}

export const acceptFlag = (value: unknown, what: string): boolean => check(z.boolean(), value, { what })

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

export const acceptMoment = (value: unknown, what: string): Date => check(moment, value, { what })

/** The fields to store. A title that a caller sets is never replaced by a made one. */
export function acceptChanges(
  changes: ConversationChanges,
  { limits, now }: { limits: ResolvedLimits; now: Date },
): ConversationFields {
  const { title, tags, documents, isArchived, scope, ...rest } = check(conversationChanges, changes, {
    limits,
  })
  return {
    ...(title !== undefined && { title, isTitleGiven: title !== null }),
    ...(tags !== undefined && { tags: [...new Set(tags)] }),
    ...(documents !== undefined && { documents: [...new Set(documents)] }),
    ...(isArchived !== undefined && { archivedAt: isArchived ? now : null }),
    ...definedFields(rest),
    ...(scope !== undefined && { metadata: withScope(rest.metadata ?? {}, scope) }),
  }
}
