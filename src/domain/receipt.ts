import type { ConversationId, MessageId } from './ids.ts'
import type { RecallKind, Signal } from './recall.ts'

/**
 * The sections of a context, in the order in which they are sent: what changes least comes first. `recalled`,
 * `notes` and `chunks` stand beside the question, in the first message of the live turn.
 */
export const SECTIONS = [
  'tools',
  'system',
  'memory',
  'summary',
  'head',
  'tail',
  'recalled',
  'notes',
  'chunks',
  'live',
] as const
export type Section = (typeof SECTIONS)[number]

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
  /** What the section could have taken; missing for what is always sent whole. */
  readonly budgetTokens?: number
  readonly reason: string
  /** Positions in the record. Empty for what is not in it: a system prompt of the call, tools, a new question. */
  readonly runs: readonly PositionRun[]
  readonly messageIds: readonly MessageId[]
  /** What was remembered, in the order in which it stands there; only sections of memory have them. */
  readonly items?: readonly ReceiptItem[]
}

export type ReceiptItemKind = RecallKind | 'preference' | 'instruction'

/** One thing that was remembered. */
export interface ReceiptItem {
  readonly kind: ReceiptItemKind
  /** Of the message, fact, note, chunk or query; of a summary: the topic's id, or how many messages it covers. */
  readonly id: string
  /** 0 to 1; comparable within one receipt. Missing for what does not depend on the question. */
  readonly score?: number
  readonly reasons: readonly ReceiptReason[]
  readonly tokens: number
  /** Only its beginning is there. */
  readonly isCut?: true
  /** The messages that it is, or came from. A kept receipt names the first few. */
  readonly messageIds: readonly MessageId[]
  /** Missing where it belongs to no conversation, and in a kept receipt where it is gone. */
  readonly conversationId?: ConversationId
}

export interface ReceiptReason {
  /** Missing for what does not depend on the question. */
  readonly signal?: Signal
  /** What it added to the score. */
  readonly score?: number
  /** A phrase. In a kept receipt it quotes no words: they could be erased meanwhile. */
  readonly text: string
}

/** What was not sent, and why: messages of the record, or something that was found. */
export interface ReceiptOmission {
  readonly tokens: number
  readonly reason: string
  /** Empty for what was found: its messages are among the others. */
  readonly runs: readonly PositionRun[]
  readonly item?: Pick<ReceiptItem, 'kind' | 'id' | 'score'>
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
  /** The id of the receipt of the previous context; missing for the first. */
  readonly previousId?: string
  /** Set when the previous context is not wholly a prefix of this one: with which section it ended … */
  readonly brokenAt?: Section
  /** … and why. */
  readonly brokenBecause?: string
}

/** From and to, both included. */
export type PositionRun = readonly [from: number, to: number]

/**
 * A receipt as it is kept: positions in runs instead of long lists of ids, and never words, so that
 * erasing needs no search in it and the receipt of a long context takes two or three kilobytes.
 */
export interface StoredReceipt extends Omit<Receipt, 'parts'> {
  readonly parts: readonly StoredPart[]
  readonly fingerprint: ContextFingerprint
}

export interface StoredPart extends Omit<ReceiptPart, 'messageIds' | 'items'> {
  readonly items?: readonly StoredReceiptItem[]
}

/** Without the id of its conversation, which may say a lot and would outlive it here. */
export interface StoredReceiptItem extends Omit<ReceiptItem, 'reasons' | 'messageIds' | 'conversationId'> {
  /** Missing for a message: it is itself. */
  readonly messageIds?: readonly MessageId[]
  /** A signal with its score, or a phrase of ours. */
  readonly reasons: readonly (readonly [Signal, number] | string)[]
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
  /** Of what stood in front, and beside the question; each missing where nothing did. */
  readonly memory?: string
  readonly summary?: string
  readonly beside?: string
  /** How many turns from the beginning were sent before the tail. */
  readonly headTurns?: number
  /** Where the live turn began. */
  readonly liveFrom?: number
  /** Reasoning of an open tool loop was sent. */
  readonly hasReasoning?: true
  /** The same over the first messages, up to the end of a section. */
  readonly marks?: readonly FingerprintMark[]
}

export interface FingerprintMark {
  readonly section: Section
  readonly messages: number
  readonly tokens: number
  readonly digest: string
}
