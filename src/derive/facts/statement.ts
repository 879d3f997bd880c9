// What a message says, as it is kept: a derived item of the kind `statement`. Facts are never kept; they are
// folded from all statements and edits of a workspace when somebody asks (fold-facts.ts).

import type { ConversationId, MessageId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { StoredItem } from '../../store/derivations.ts'
import type { Candidate } from './candidate.ts'

/** The deriver whose items statements and entities are. */
export const READING = 'reading'

/** A candidate and where it was said. */
export interface PlacedCandidate extends Candidate {
  readonly conversationId: ConversationId
  readonly position: number
  /** Among those of its message. */
  readonly index: number
  /** Which model or built-in means read it. */
  readonly madeBy: string
}

/** The key of a statement's item. */
export const statementKey = (position: number, index: number): string => `${position}:${index}`

/** The body of a statement's item; the message is its source. */
export function toStatement({ messageId: _, ...candidate }: Candidate): JsonObject {
  const { validFrom, validUntil, saidAt, ...rest } = candidate
  return {
    ...rest,
    saidAt: saidAt.toISOString(),
    ...(validFrom.getTime() !== saidAt.getTime() && { validFrom: validFrom.toISOString() }),
    ...(validUntil !== undefined && { validUntil: validUntil.toISOString() }),
  }
}

type StatementBody = Omit<Candidate, 'messageId' | 'saidAt' | 'validFrom' | 'validUntil'> & {
  readonly saidAt: string
  readonly validFrom?: string
  readonly validUntil?: string
}

export function readStatement(item: StoredItem): PlacedCandidate {
  const { saidAt: time, validFrom, validUntil, ...rest } = item.body as unknown as StatementBody
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

/** The order in which things were said; the same however they were derived. */
export function compareSaid(left: PlacedCandidate, right: PlacedCandidate): number {
  return (
    left.saidAt.getTime() - right.saidAt.getTime() ||
    compareText(left.conversationId, right.conversationId) ||
    left.position - right.position ||
    left.index - right.index
  )
}

/** As they were said; most often they come that way. */
export function inOrder(statements: readonly PlacedCandidate[]): readonly PlacedCandidate[] {
  const isOrdered = statements.every((statement, place) => {
    const before = statements[place - 1]
    return before === undefined || compareSaid(before, statement) <= 0
  })
  return isOrdered ? statements : statements.toSorted(compareSaid)
}

function compareText(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}
