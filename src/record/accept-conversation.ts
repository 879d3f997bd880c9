import { definedFields } from '../domain/defined-fields.ts'
import { withScope } from '../domain/scope.ts'
import type { ResolvedLimits } from '../options/limit-options.ts'
import { check } from '../schemas/check.ts'
import { type ConversationChanges, conversationChanges } from '../schemas/conversation.ts'
import type { ConversationFields } from '../store/store.ts'

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
