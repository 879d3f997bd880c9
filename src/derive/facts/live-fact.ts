import type { Fact, FactEvent, FactKind, FactWithHistory } from '../../domain/fact.ts'
import type { ConversationId, MessageId } from '../../domain/ids.ts'
import type { FactIdentity } from './fact-key.ts'

/** What a fact says. */
export interface FactFields {
  readonly subject: string
  readonly attribute: string
  readonly value: string
  readonly kind: FactKind
  readonly validFrom: Date
  readonly validUntil?: Date | undefined
}

/** A fact while the statements are being folded: changed in place, and never handed out. */
export interface LiveFact extends FactFields {
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
  /** The fact that has taken this one in. */
  mergedInto: LiveFact | undefined
}

type Beginning = FactFields & Pick<LiveFact, 'id' | 'confidence' | 'origin' | 'saidAt'>

export function beginFact(identity: FactIdentity, beginning: Beginning): LiveFact {
  const { id, subject, attribute, value, kind, validFrom, validUntil, confidence, origin, saidAt } = beginning
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
    mergedInto: undefined,
  }
}

/** A mistake has an empty period: it never held. */
export const hasHeld = ({ validFrom, validUntil }: FactFields): boolean =>
  validUntil === undefined || validUntil > validFrom

export function toFact(live: LiveFact): Fact {
  const { id, subject, attribute, value, kind, validFrom, validUntil } = live
  const { confidence, origin, saidAt, rejectedAt, pinnedAt } = live
  return {
    id,
    key: live.identity.key,
    subject,
    attribute,
    value,
    kind,
    validFrom,
    ...(validUntil !== undefined && { validUntil }),
    confidence,
    origin,
    sources: [...live.sources],
    conversationIds: [...live.conversationIds],
    saidAt,
    ...(rejectedAt !== undefined && { rejectedAt }),
    ...(pinnedAt !== undefined && { pinnedAt }),
  }
}

export function toFactWithHistory(live: LiveFact): FactWithHistory {
  return { ...toFact(live), history: [...live.history] }
}
