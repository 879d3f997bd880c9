import type { Fact, FactEvent, FactKind, FactWithHistory } from '../../domain/fact.ts'
import type { ConversationId, MessageId } from '../../domain/ids.ts'
import type { FactIdentity } from './fact-key.ts'
import type { StatementDetails } from './statements/find-statements.ts'

/** The content of a fact. */
export interface FactFields {
  readonly subject: string
  readonly attribute: string
  readonly value: string
  readonly kind: FactKind
  readonly validFrom: Date
  readonly validUntil?: Date | undefined
}

/** A fact while facts are being folded. Changed in place, and never returned to callers. */
export interface MutableFact extends FactFields {
  readonly id: string
  subject: string
  attribute: string
  value: string
  kind: FactKind
  validFrom: Date
  validUntil: Date | undefined
  identity: FactIdentity
  confidence: number
  origin: Fact['origin']
  saidAt: Date
  rejectedAt: Date | undefined
  pinnedAt: Date | undefined
  readonly sources: MessageId[]
  readonly conversationIds: Set<ConversationId>
  readonly history: FactEvent[]
  /** Set for statements only. */
  statement: StatementDetails | undefined
  /** Of the message that said it first, in its conversation. */
  readonly position: number | undefined
  /** The fact that this one was merged into. */
  mergedInto: MutableFact | undefined
}

interface Told extends Omit<FactFields, 'value'> {
  readonly value?: string
  readonly confidence: number
  readonly saidAt: Date
  readonly statement?: StatementDetails
  readonly position?: number
}

export function beginFact(
  identity: FactIdentity,
  { subject, attribute, value = '', kind, validFrom, confidence, saidAt, statement, position }: Told,
  { id, origin, validUntil }: Pick<MutableFact, 'id' | 'origin' | 'validUntil'>,
): MutableFact {
  return {
    id,
    identity,
    subject,
    attribute,
    value,
    kind,
    validFrom,
    validUntil,
    confidence,
    origin,
    saidAt,
    rejectedAt: undefined,
    pinnedAt: undefined,
    sources: [],
    conversationIds: new Set(),
    history: [],
    statement,
    position,
    mergedInto: undefined,
  }
}

/** A corrected mistake has an empty period: it was never valid. */
export const hasHeld = ({ validFrom, validUntil }: FactFields): boolean =>
  validUntil === undefined || validUntil.getTime() > validFrom.getTime()

export function toFact(live: MutableFact): Fact {
  const { id, subject, attribute, value, kind, validFrom, validUntil } = live
  const { confidence, origin, saidAt, rejectedAt, pinnedAt } = live
  const sources = [...live.sources]
  const conversationIds = [...live.conversationIds]
  // Spreading optional fields is slow, and there are many facts.
  const fact: { -readonly [Name in keyof Fact]: Fact[Name] } = {
    id,
    key: live.identity.key,
    subject,
    attribute,
    value,
    kind,
    validFrom,
    confidence,
    origin,
    sources,
    conversationIds,
    saidAt,
  }
  if (validUntil !== undefined) fact.validUntil = validUntil
  if (rejectedAt !== undefined) fact.rejectedAt = rejectedAt
  if (pinnedAt !== undefined) fact.pinnedAt = pinnedAt
  return fact
}

export function toFactWithHistory(live: MutableFact): FactWithHistory {
  return { ...toFact(live), history: [...live.history] }
}
