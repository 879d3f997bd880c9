import type { ConversationId, MessageId } from '../../domain/ids.ts'
import type { ReceiptItem } from '../../domain/receipt.ts'
import type { CountTokens } from '../../domain/tokens.ts'
import type { NoMemory } from './is-memory.ts'

/** A memory item that may be included, as one line. */
export interface MemoryCandidate {
  readonly item: Omit<ReceiptItem, 'tokens' | 'isCut'>
  /** Renders the text, or the part of it that is sent. */
  readonly toLine: (text: string) => string
  readonly text: string
  /** Tokens of the whole line. */
  readonly tokens: number
  /** May be sent in part. */
  readonly canBeCut: boolean
  /** When it was said. */
  readonly at: Date | undefined
  /** Messages of this conversation only. */
  readonly position?: number
  /** Set if it belongs to the section of the page, whatever its kind. */
  readonly section?: 'page'
}

/** A candidate that was included. */
export interface Taken {
  readonly candidate: MemoryCandidate
  readonly line: string
  readonly tokens: number
  readonly isCut: boolean
}

export type DropReason =
  | 'already in the context'
  | NoMemory
  | 'over the limit of its kind'
  | 'over the budget of its section'

export interface Dropped {
  readonly candidate: MemoryCandidate
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
  readonly section?: 'page'
  readonly canBeCut: boolean
  readonly toLine: (text: string) => string
}

export function toMemoryCandidate(fields: CandidateFields, count: CountTokens): MemoryCandidate {
  const { at, position, section, canBeCut, toLine, text, ...item } = fields
  return {
    item,
    toLine,
    text,
    canBeCut,
    at,
    tokens: countLine(toLine(text), count),
    ...(position !== undefined && { position }),
    ...(section !== undefined && { section }),
  }
}

/** Includes the line break. */
export const countLine = (line: string, count: CountTokens): number => count(`${line}\n`)
