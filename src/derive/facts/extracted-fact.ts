// How an extracted fact is stored: as a derived item of kind `statement`. Facts themselves are not stored; they
// are folded from all extracted facts and edits of a workspace on demand (fold-facts.ts).

import type { FactKind } from '../../domain/fact.ts'
import type { ConversationId, MessageId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { StoredItem } from '../../store/derivations.ts'
import type { StatementDetails } from './statements/find-statements.ts'

/**
 * `state`: something is true. `end`: it is no longer true. `correct`: the last value of this shape was wrong
 * ("no, Tuesday").
 */
export type FactAction = 'state' | 'end' | 'correct'

/** The shape of a correction's value, used to find the fact it corrects. */
export type ValueShape = 'date' | 'number' | 'name'

/** What one message says, before it is reconciled with the known facts. */
export interface ExtractedFact {
  readonly action: FactAction
  readonly subject: string
  /** Empty for a correction, which takes the attribute of the fact it corrects. */
  readonly attribute: string
  /** Missing when an end means every value: "I sold the car". */
  readonly value?: string
  readonly kind: FactKind
  readonly validFrom: Date
  readonly validUntil?: Date
  readonly confidence: number
  readonly messageId: MessageId
  /** In a fork: the original of this message. */
  readonly copyOf?: MessageId
  readonly saidAt: Date
  /** The sentence it was extracted from, verbatim. */
  readonly evidence: string
  /** For a correction: the shape of its value, and the value it replaces if the message names it. */
  readonly shape?: ValueShape
  readonly insteadOf?: string
  /** For a statement: what it is about and which values it gives. */
  readonly statement?: StatementDetails
  /** Set when it is read back from the store. */
  readonly conversationId?: ConversationId
  readonly position?: number
  /** The model or built-in version that extracted it. Set when it is read back from the store. */
  readonly madeBy?: string
}

/** The item kind of extracted facts. Databases contain this word; do not change it. */
export const EXTRACTED_FACT = 'statement'

/** An extracted fact with the place where it was said. */
export interface StoredExtractedFact extends ExtractedFact {
  readonly conversationId: ConversationId
  readonly position: number
  /** Index among the facts of its message. */
  readonly index: number
  /** The model or built-in version that extracted it. */
  readonly madeBy: string
}

export const extractedFactKey = (position: number, index: number): string => `${position}:${index}`

/** The item body. It has no message id: the item's source is the message. */
export function toExtractedFactBody({ messageId: _, ...fact }: ExtractedFact): JsonObject {
  const { validFrom, validUntil, saidAt, ...rest } = fact
  return {
    ...(rest as unknown as JsonObject),
    saidAt: saidAt.toISOString(),
    ...(validFrom.getTime() !== saidAt.getTime() && { validFrom: validFrom.toISOString() }),
    ...(validUntil !== undefined && { validUntil: validUntil.toISOString() }),
  }
}

type ExtractedFactBody = Omit<ExtractedFact, 'messageId' | 'saidAt' | 'validFrom' | 'validUntil'> & {
  readonly saidAt: string
  readonly validFrom?: string
  readonly validUntil?: string
}

export function readExtractedFact(item: StoredItem): StoredExtractedFact {
  const { saidAt: time, validFrom, validUntil, ...rest } = item.body as unknown as ExtractedFactBody
  const [position = 0, index = 0] = item.key.split(':').map(Number)
  const saidAt = new Date(time)
  return {
    ...rest,
    messageId: item.sources[0] as MessageId,
    saidAt,
    validFrom: validFrom === undefined ? saidAt : new Date(validFrom),
    ...(validUntil !== undefined && { validUntil: new Date(validUntil) }),
    conversationId: item.conversationId,
    position,
    index,
    madeBy: item.madeBy,
  }
}

/** Compares by the order in which facts were said, which does not depend on when they were derived. */
export function compareSaid(left: StoredExtractedFact, right: StoredExtractedFact): number {
  return (
    left.saidAt.getTime() - right.saidAt.getTime() ||
    compareText(left.conversationId, right.conversationId) ||
    left.position - right.position ||
    left.index - right.index
  )
}

/** Usually already sorted, so check first. */
export function sortBySaidAt(facts: readonly StoredExtractedFact[]): readonly StoredExtractedFact[] {
  const isOrdered = facts.every((fact, place) => {
    const before = facts[place - 1]
    return before === undefined || compareSaid(before, fact) <= 0
  })
  return isOrdered ? facts : facts.toSorted(compareSaid)
}

function compareText(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}
