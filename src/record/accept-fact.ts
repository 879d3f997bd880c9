import { MemoryError } from '../domain/errors.ts'
import type { Fact, FactKind } from '../domain/fact.ts'
import { FACT_KINDS } from '../domain/fact.ts'
import { type MessageId, messageId } from '../domain/ids.ts'
import type { ResolvedLimits } from '../options/limit-options.ts'
import { check } from '../schemas/check.ts'
import { type FactChanges, factChanges, type NewFact, newFact } from '../schemas/knowledge.ts'
import { ids } from '../schemas/values.ts'
import { acceptChoice } from './accept-object.ts'

export type { FactChanges, NewFact }

export type AcceptedFact = Pick<Fact, 'subject' | 'attribute' | 'value' | 'kind' | 'validFrom' | 'validUntil'>

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
