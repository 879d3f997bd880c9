import type { ConversationId, MessageId } from './ids.ts'
import type { RecallKind, Signal } from './recall.ts'
import type { ReceiptScope } from './scope.ts'

/**
 * The sections of a context in the order in which they are sent: what changes least comes first. `recalled`, `page`,
 * `notes` and `chunks` are in the first message of the live turn, before the question.
 */
export const SECTIONS = [
  'tools',
  'system',
  'memory',
  'summary',
  'head',
  'tail',
  'recalled',
  'page',
  'notes',
  'chunks',
  'live',
] as const
export type Section = (typeof SECTIONS)[number]

/** Explains a context: what was included, left out and repaired, and the prefix it shares with the last one. */
export interface Receipt {
  readonly id: string
  readonly conversationId: ConversationId
  readonly createdAt: Date
  /** Number of messages in the conversation at that time. */
  readonly messageCount: number
  readonly budgetTokens: number
  readonly tokens: number
  readonly tokenizer: string
  readonly parts: readonly ReceiptPart[]
  readonly omitted: readonly ReceiptOmission[]
  readonly repairs: readonly ReceiptRepair[]
  readonly sharedPrefix: SharedPrefix
  /** Where memory was looked for; missing if memory is off. */
  readonly scope?: ReceiptScope
}

/** One section of the context. */
export interface ReceiptPart {
  readonly section: Section
  readonly tokens: number
  /** Maximum tokens of the section; missing if it is always sent whole. */
  readonly budgetTokens?: number
  readonly reason: string
  /** Positions of recorded messages. Empty for a system prompt of the call, tools and an unrecorded question. */
  readonly runs: readonly PositionRun[]
  readonly messageIds: readonly MessageId[]
  /** Memory items in the order in which they are sent; only in sections of memory. */
  readonly items?: readonly ReceiptItem[]
}

export type ReceiptItemKind = RecallKind | 'preference' | 'instruction' | 'block' | 'page'

/** One memory item. */
export interface ReceiptItem {
  readonly kind: ReceiptItemKind
  /** The id of the message, fact, note, chunk or query; of a summary, its topic's id or the number of messages it covers. */
  readonly id: string
  /** 0 to 1; comparable within one receipt. Missing if the item does not depend on the question. */
  readonly score?: number
  readonly reasons: readonly ReceiptReason[]
  readonly tokens: number
  /** Only its beginning is sent. */
  readonly isCut?: true
  /** The message itself, or the messages it was derived from. A stored receipt has the first few. */
  readonly messageIds: readonly MessageId[]
  /** Missing if it belongs to no conversation, or in a stored receipt if that no longer exists. */
  readonly conversationId?: ConversationId
}

export interface ReceiptReason {
  /** Missing if the item does not depend on the question. */
  readonly signal?: Signal
  /** Its contribution to the score. */
  readonly score?: number
  /** A phrase. In a stored receipt it quotes no text, because that may be erased. */
  readonly text: string
}

/** What was left out, and why: recorded messages, or an item that was found. */
export interface ReceiptOmission {
  readonly tokens: number
  readonly reason: string
  /** Empty for items: their messages are counted elsewhere. */
  readonly runs: readonly PositionRun[]
  /** Where the model still finds these messages: in the summary that is sent, or by recall when a question needs them. */
  readonly coverage?: 'summary' | 'recall'
  /** The sections that took the place of these messages, which would fit without memory. */
  readonly replacedBy?: readonly Section[]
  readonly item?: Pick<ReceiptItem, 'kind' | 'id' | 'score'>
}

/** A change to what was recorded, made so that every provider accepts the context. */
export interface ReceiptRepair {
  readonly messageId?: MessageId
  readonly repair: string
}

/** The prefix that this context shares with the previous one. */
export interface SharedPrefix {
  readonly messages: number
  readonly tokens: number
  /** The id of the receipt of the previous context; missing for the first. */
  readonly previousId?: string
  /** Set if the previous context is not a prefix of this one: the first section that differs. */
  readonly brokenAt?: Section
  /** Why it differs. */
  readonly brokenBecause?: string
}

/** Both inclusive. */
export type PositionRun = readonly [from: number, to: number]

/**
 * A receipt as it is stored: runs of positions instead of long lists of ids, and never message text. So erasing does not
 * have to search receipts, and the receipt of a long context takes two or three kilobytes.
 */
export interface StoredReceipt extends Omit<Receipt, 'parts'> {
  readonly parts: readonly StoredPart[]
  readonly fingerprint: ContextFingerprint
}

export interface StoredPart extends Omit<ReceiptPart, 'messageIds' | 'items'> {
  readonly items?: readonly StoredReceiptItem[]
}

/** Without the conversation id, which may be personal data and would outlive the conversation. */
export interface StoredReceiptItem extends Omit<ReceiptItem, 'reasons' | 'messageIds' | 'conversationId'> {
  /** Missing for a message, which is its own source. */
  readonly messageIds?: readonly MessageId[]
  /** A signal with its score, or a fixed phrase. */
  readonly reasons: readonly (readonly [Signal, number] | string)[]
}

/** What the next context is compared with. */
export interface ContextFingerprint {
  readonly system: string
  readonly tools: string
  readonly budgetTokens: number
  /** Where the tail began. */
  readonly tailFrom: number
  readonly messages: number
  readonly messageTokens: number
  /** Over the rendered messages, including the live turn. */
  readonly digest: string
  /** Digests of the memory texts; each missing if there was none. */
  readonly memory?: string
  readonly summary?: string
  readonly beside?: string
  /** Number of first turns sent before the tail. */
  readonly headTurns?: number
  /** Where the live turn began. */
  readonly liveFrom?: number
  /** Reasoning of an open tool loop was sent. */
  readonly hasReasoning?: true
  /** Digests over the first messages, up to the end of each section. */
  readonly marks?: readonly FingerprintMark[]
}

export interface FingerprintMark {
  readonly section: Section
  readonly messages: number
  readonly tokens: number
  readonly digest: string
}
