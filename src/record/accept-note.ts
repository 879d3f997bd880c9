import { definedFields } from '../domain/defined-fields.ts'
import { MemoryError } from '../domain/errors.ts'
import { messageId } from '../domain/ids.ts'
import type { Note } from '../domain/note.ts'
import type { ResolvedLimits } from '../options/limit-options.ts'
import { check } from '../schemas/check.ts'
import { type NewNote, newNote } from '../schemas/knowledge.ts'

export type { NewNote }

interface NoteRules {
  readonly limits: ResolvedLimits
  readonly expireDays: number
  readonly now: Date
}

const DAY_MS = 86_400_000

export function acceptNote(note: NewNote, rules: NoteRules): Omit<Note, 'id' | 'conversationId'> {
  const { limits, now } = rules
  const { text, source = {}, createdAt = now, expiresAt, messageIds = [] } = check(newNote, note, { limits })
  return {
    text,
    source: definedFields(source),
    createdAt,
    ...definedFields({ expiresAt: toExpiry(expiresAt, rules) }),
    messageIds: messageIds.map(messageId),
  }
}

function toExpiry(expiresAt: Date | null | undefined, { expireDays, now }: NoteRules): Date | undefined {
  if (expiresAt === null) return undefined
  if (expiresAt === undefined)
    return expireDays === 0 ? undefined : new Date(now.getTime() + expireDays * DAY_MS)
  if (expiresAt > now) return expiresAt
  throw new MemoryError('invalid-input', `expiresAt is in the past: ${expiresAt.toISOString()}`, {
    hint: 'set a later expiresAt, or null for a note that does not expire',
  })
}
