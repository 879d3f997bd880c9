import { MemoryError } from '../domain/errors.ts'
import { FACT_KINDS, type Fact, type FactKind } from '../domain/fact.ts'
import { type MessageId, messageId } from '../domain/ids.ts'
import type { ResolvedLimits } from '../options/limit-options.ts'
import { acceptName } from './accept-id.ts'
import { acceptMoment } from './accept-moment.ts'
import { acceptChoice, acceptObject } from './accept-object.ts'

/** A fact as a user or the application gives it. */
export interface NewFact {
  /** Adding it again under the same id changes nothing. @default made */
  readonly id?: string
  /** @default "user" */
  readonly subject?: string
  readonly attribute: string
  readonly value: string
  /** @default "fact" */
  readonly kind?: FactKind
  /** @default now */
  readonly validFrom?: Date | string
  readonly validUntil?: Date | string
  /** The conversation that it belongs to and is erased with. @default none */
  readonly conversationId?: string
  /** The messages that it was taken from; it is erased with any of them. @default none */
  readonly messageIds?: readonly string[]
}

/** What can be changed about a fact. */
export interface FactChanges extends Partial<Pick<NewFact, 'subject' | 'attribute' | 'value' | 'kind'>> {
  readonly validFrom?: Date | string
  /** `null` opens it again. */
  readonly validUntil?: Date | string | null
}

export type AcceptedFact = Pick<Fact, 'subject' | 'attribute' | 'value' | 'kind' | 'validFrom' | 'validUntil'>

interface FactRules {
  readonly limits: ResolvedLimits
  readonly now: Date
}

const CHANGES = ['subject', 'attribute', 'value', 'kind', 'validFrom', 'validUntil'] as const

export function acceptFact(fact: NewFact, { limits, now }: FactRules): AcceptedFact {
  acceptObject(fact, { what: 'a fact', fields: [...CHANGES, 'id', 'conversationId', 'messageIds'] })
  const { subject = 'user', attribute, value, kind = 'fact', validFrom = now, validUntil } = fact
  return acceptPeriod({
    ...acceptWords({ subject, attribute, value, kind }, limits),
    validFrom: acceptMoment(validFrom, 'validFrom'),
    ...(validUntil !== undefined && { validUntil: acceptMoment(validUntil, 'validUntil') }),
  })
}

/** The fact as it is after the changes. */
export function acceptFactChanges(
  changes: FactChanges,
  before: AcceptedFact,
  limits: ResolvedLimits,
): AcceptedFact {
  acceptObject(changes, { what: 'a change of a fact', fields: CHANGES })
  if (Object.values(changes).every((change) => change === undefined)) {
    throw new MemoryError('invalid-input', 'nothing is changed', {
      hint: `these can be: ${CHANGES.join(', ')}`,
    })
  }
  const { subject = before.subject, attribute = before.attribute, value = before.value } = changes
  const { kind = before.kind, validFrom = before.validFrom, validUntil = before.validUntil } = changes
  return acceptPeriod({
    ...acceptWords({ subject, attribute, value, kind }, limits),
    validFrom: acceptMoment(validFrom, 'validFrom'),
    ...(validUntil !== undefined &&
      validUntil !== null && { validUntil: acceptMoment(validUntil, 'validUntil') }),
  })
}

type Words = Pick<AcceptedFact, 'subject' | 'attribute' | 'value' | 'kind'>

function acceptWords({ subject, attribute, value, kind }: Words, limits: ResolvedLimits): Words {
  const most = limits.idCharacters
  return {
    subject: acceptName(subject, { what: 'the subject of a fact', most }).trim(),
    attribute: acceptName(attribute, { what: 'the attribute of a fact', most }).trim(),
    value: acceptName(value, { what: 'the value of a fact', most: limits.factCharacters }).trim(),
    kind: acceptFactKind(kind),
  }
}

export function acceptFactKind(kind: unknown): FactKind {
  return acceptChoice(kind, { what: 'the kind of a fact', choices: FACT_KINDS })
}

/** An empty period is how a mistake is kept: it may be there, and may not be given. */
function acceptPeriod(fact: AcceptedFact): AcceptedFact {
  const { validFrom, validUntil } = fact
  if (validUntil === undefined || validUntil > validFrom) return fact
  throw new MemoryError(
    'invalid-input',
    `the fact would end (${validUntil.toISOString()}) before it begins (${validFrom.toISOString()})`,
    { hint: 'give a later validUntil; null opens a fact again; reject a fact that never held' },
  )
}

/** Messages that a fact or a note was taken from. */
export function acceptMessageIds(ids: unknown, limits: ResolvedLimits): readonly MessageId[] {
  if (ids === undefined) return []
  if (!Array.isArray(ids)) throw new MemoryError('invalid-input', 'messageIds must be a list of message ids')
  if (ids.length > limits.batchMessages)
    throw new MemoryError('too-large', `${ids.length} messageIds; the most is ${limits.batchMessages}`)
  return ids.map((id) => messageId(acceptName(id, { what: 'a message id', most: limits.idCharacters })))
}
