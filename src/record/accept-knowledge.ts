import { definedFields } from '../domain/defined-fields.ts'
import { MemoryError } from '../domain/errors.ts'
import { FACT_KINDS, type Fact, type FactKind } from '../domain/fact.ts'
import { type MessageId, messageId } from '../domain/ids.ts'
import type { JsonValue } from '../domain/json.ts'
import type { Note } from '../domain/note.ts'
import type { ResolvedLimits } from '../options/limit-options.ts'
import { check } from '../schemas/check.ts'
import {
  type FactChanges,
  factChanges,
  type NewFact,
  type NewNote,
  newFact,
  newNote,
  preferenceValue,
} from '../schemas/knowledge.ts'
import { checkName, ids } from '../schemas/values.ts'
import { acceptChoice } from './accept.ts'

export type { FactChanges, NewFact }

type AcceptedFact = Pick<Fact, 'subject' | 'attribute' | 'value' | 'kind' | 'validFrom' | 'validUntil'>

interface FactRules {
  readonly limits: ResolvedLimits
  readonly now: Date
}

export function acceptFact(fact: NewFact, { limits, now }: FactRules): AcceptedFact {
  const { subject = 'user', attribute, value, kind = 'fact', ...period } = check(newFact, fact, { limits })
  const { validFrom = now, validUntil } = period
  return toFact({
    subject,
    attribute,
    value,
    kind,
    validFrom,
    ...(validUntil !== undefined && { validUntil }),
  })
}

/** The fact after the changes. */
export function acceptFactChanges(
  changes: FactChanges,
  before: AcceptedFact,
  limits: ResolvedLimits,
): AcceptedFact {
  const changed = check(factChanges, changes, { limits })
  const { subject = before.subject, attribute = before.attribute, value = before.value } = changed
  const { kind = before.kind, validFrom = before.validFrom, validUntil = before.validUntil } = changed
  return toFact({
    subject,
    attribute,
    value,
    kind,
    validFrom,
    ...(validUntil !== undefined && validUntil !== null && { validUntil }),
  })
}

/** An empty period is how a mistake is stored: it may exist, but may not be given. */
function toFact({ subject, attribute, value, ...fact }: AcceptedFact): AcceptedFact {
  const { validFrom, validUntil } = fact
  if (validUntil === undefined || validUntil > validFrom)
    return { subject: subject.trim(), attribute: attribute.trim(), value: value.trim(), ...fact }
  throw new MemoryError(
    'invalid-input',
    `validUntil (${validUntil.toISOString()}) is not after validFrom (${validFrom.toISOString()})`,
    { hint: 'set a later validUntil, or null for no end; reject a fact that was never true' },
  )
}

export function acceptFactKind(kind: unknown): FactKind {
  return acceptChoice(kind, { what: 'the kind of a fact', choices: FACT_KINDS })
}

/** Messages that a fact or a note was taken from. */
export function acceptMessageIds(messageIds: unknown, limits: ResolvedLimits): readonly MessageId[] {
  if (messageIds === undefined) return []
  return check(ids, messageIds, { limits, what: 'messageIds' }).map(messageId)
}

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

export const acceptPreferenceKey = (key: unknown, limits: ResolvedLimits): string =>
  checkName(key, 'the key of a preference', limits)

export function acceptPreferenceValue(value: unknown, limits: ResolvedLimits): JsonValue {
  if (value === undefined)
    throw new MemoryError('invalid-input', 'a preference needs a value', { hint: 'delete(key) removes it' })
  return check(preferenceValue, value, { limits, what: 'the value of a preference' })
}
