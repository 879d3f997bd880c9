import type { ConversationChanges } from '../domain/conversation.ts'
import { definedFields } from '../domain/defined-fields.ts'
import { MemoryError } from '../domain/errors.ts'
import type { ResolvedLimits } from '../options/limit-options.ts'
import type { ConversationFields } from '../store/store.ts'
import { acceptName } from './accept-id.ts'
import { acceptMetadata } from './accept-message.ts'

const FIELDS = ['title', 'tags', 'isPinned', 'isArchived', 'isMemoryOn', 'documents', 'metadata'] as const
const FLAGS = ['isPinned', 'isArchived', 'isMemoryOn'] as const

/** What an application says about a conversation, checked. */
export function acceptChanges(
  changes: ConversationChanges,
  { limits, now }: { limits: ResolvedLimits; now: Date },
): ConversationFields {
  acceptShape(changes)
  const { title, tags, documents, metadata, isArchived, isPinned, isMemoryOn } = changes
  return {
    ...(title !== undefined && acceptTitle(title, limits)),
    ...(tags !== undefined && { tags: acceptNames(tags, 'a tag', limits) }),
    ...(documents !== undefined && { documents: acceptNames(documents, 'a document id', limits) }),
    ...(metadata !== undefined && { metadata: acceptMetadata(metadata, limits) }),
    ...(isArchived !== undefined && { archivedAt: isArchived ? now : null }),
    ...definedFields({ isPinned, isMemoryOn }),
  }
}

function acceptShape(changes: ConversationChanges): void {
  const unknown = Object.keys(changes).find((field) => !(FIELDS as readonly string[]).includes(field))
  if (unknown !== undefined) {
    throw new MemoryError('invalid-input', `a conversation has no field "${unknown}" that can be set`, {
      hint: `these can: ${FIELDS.join(', ')}`,
    })
  }
  const wrong = FLAGS.find((flag) => changes[flag] !== undefined && typeof changes[flag] !== 'boolean')
  if (wrong !== undefined) throw new MemoryError('invalid-input', `${wrong} must be true or false`)
}

function acceptTitle(title: string | null, limits: ResolvedLimits): ConversationFields {
  if (title === null) return { title: null, isTitleGiven: false }
  return { title: acceptName(title, { what: 'a title', most: limits.titleCharacters }), isTitleGiven: true }
}

function acceptNames(names: unknown, what: string, limits: ResolvedLimits): readonly string[] {
  if (!Array.isArray(names)) throw new MemoryError('invalid-input', `${what}: a list is needed`)
  const unique = [...new Set(names.map((name) => acceptName(name, { what, most: limits.idCharacters })))]
  if (unique.length <= limits.tags) return unique
  throw new MemoryError('too-large', `${unique.length} times ${what}; the most is ${limits.tags}`)
}
