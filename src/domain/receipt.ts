import type { ConversationId, MessageId } from './ids.ts'

/** The sections of a context, in the order in which they are sent. */
export type Section = 'tools' | 'system' | 'tail' | 'live'

/** Why a context is what it is: what went in, what stayed out, what was mended, what it shares with the last. */
export interface Receipt {
  readonly id: string
  readonly conversationId: ConversationId
  readonly createdAt: Date
  /** How many messages the conversation had: the turn that this receipt belongs to. */
  readonly messageCount: number
  readonly budgetTokens: number
  readonly tokens: number
  readonly tokenizer: string
  readonly parts: readonly ReceiptPart[]
  readonly omitted: readonly ReceiptOmission[]
  readonly repairs: readonly ReceiptRepair[]
  readonly sharedPrefix: SharedPrefix
}

/** What one section brought into the context. */
export interface ReceiptPart {
  readonly section: Section
  readonly tokens: number
  readonly reason: string
  /** Positions in the record. Empty for what is not in it: a system prompt of the call, tools, a new question. */
  readonly runs: readonly PositionRun[]
  readonly messageIds: readonly MessageId[]
}

/** Messages of the record that were not sent, and why. */
export interface ReceiptOmission {
  readonly tokens: number
  readonly reason: string
  readonly runs: readonly PositionRun[]
}

/** Where the context is not word for word what was recorded, so that every provider accepts it. */
export interface ReceiptRepair {
  readonly messageId?: MessageId
  readonly repair: string
}

/** How much of the previous context's messages this one begins with. */
export interface SharedPrefix {
  readonly messages: number
  readonly tokens: number
  /** Set when the previous context is not wholly a prefix of this one. */
  readonly brokenBecause?: string
}

/** From and to, both included. */
export type PositionRun = readonly [from: number, to: number]

/**
 * A receipt as it is kept: positions in runs instead of long lists of ids, and never words, so that
 * erasing needs no search in it and the receipt of a long context takes a few hundred bytes.
 */
export interface StoredReceipt extends Omit<Receipt, 'parts'> {
  readonly parts: readonly Omit<ReceiptPart, 'messageIds'>[]
  readonly fingerprint: ContextFingerprint
}

/** What the next context compares itself with. */
export interface ContextFingerprint {
  readonly system: string
  readonly tools: string
  readonly budgetTokens: number
  /** Where the tail began. */
  readonly tailFrom: number
  readonly messages: number
  readonly messageTokens: number
  /** Over the rendered messages, the live turn included. */
  readonly digest: string
}
