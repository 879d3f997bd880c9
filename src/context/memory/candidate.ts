import type { ConversationId, MessageId } from '../../domain/ids.ts'
import type { ReceiptItem } from '../../domain/receipt.ts'
import type { CountTokens } from '../../domain/tokens.ts'

/** Something that may come in, as a line of its own. */
export interface Candidate {
  readonly item: Omit<ReceiptItem, 'tokens' | 'isCut'>
  /** Of the text, or of as much of it as is sent. */
  readonly toLine: (text: string) => string
  readonly text: string
  /** Of the whole line. */
  readonly tokens: number
  /** A part of it is better than nothing. */
  readonly canBeCut: boolean
  /** When it was said. */
  readonly at: Date | undefined
  /** Of a message of this conversation. */
  readonly position?: number
}

/** What came in. */
export interface Taken {
  readonly candidate: Candidate
  readonly line: string
  readonly tokens: number
  readonly isCut: boolean
}

export type DropReason = 'already in sight' | 'over the limit of its kind' | 'over the budget of its section'

export interface Dropped {
  readonly candidate: Candidate
  readonly reason: DropReason
}

export interface CandidateFields {
  readonly kind: ReceiptItem['kind']
  readonly id: string
  readonly text: string
  readonly reasons: ReceiptItem['reasons']
  readonly messageIds: readonly MessageId[]
  readonly score?: number
  readonly conversationId?: ConversationId
  readonly at?: Date
  readonly position?: number
  readonly canBeCut: boolean
  readonly toLine: (text: string) => string
}

export function toCandidate(fields: CandidateFields, count: CountTokens): Candidate {
  const { at, position, canBeCut, toLine, text, ...item } = fields
  return {
    item,
    toLine,
    text,
    canBeCut,
    at,
    tokens: countLine(toLine(text), count),
    ...(position !== undefined && { position }),
  }
}

/** With the end of the line, which belongs to it. */
export const countLine = (line: string, count: CountTokens): number => count(`${line}\n`)
