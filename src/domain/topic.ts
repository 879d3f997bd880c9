import type { ConversationId, MessageId } from './ids.ts'

/** How long a topic is remembered: a day at first, a month when it is used again and again. */
export type MemoryType = 'short-term' | 'transitioning' | 'long-term'

/** Spoken of now; at hand; or faded and out of the way until it is spoken of again. */
export type TopicState = 'current' | 'live' | 'archived'

/** What a stretch of a conversation is about. */
export interface Topic {
  /** The id of the message that began it. */
  readonly id: MessageId
  readonly conversationId: ConversationId
  readonly title: string
  readonly tags: readonly string[]
  readonly state: TopicState
  /** A pinned topic is never archived. */
  readonly isPinned: boolean
  /** 0 to 1. */
  readonly importance: number
  /** Importance, halved for every half-life since the last use. */
  readonly priority: number
  readonly halfLifeDays: number
  readonly memoryType: MemoryType
  /** How often a person spoke of it. */
  readonly accessCount: number
  readonly totalMessages: number
  /** Messages at hand; all of them while a topic is spoken of again. */
  readonly activeMessages: number
  readonly compressedMessages: number
  /** In order. */
  readonly messageIds: readonly MessageId[]
  readonly createdAt: Date
  readonly lastUsedAt: Date
  readonly ageMs: number
  readonly idleMs: number
}

/** What the earlier turns of a conversation were condensed to, for a reader who sees the later ones in full. */
export interface EarlierSummary {
  /** In the order in which things were said. */
  readonly sentences: readonly {
    readonly text: string
    /** The message that it reports; missing where a model wrote it. */
    readonly messageId?: MessageId
  }[]
  /** It covers so many messages, from the first. */
  readonly through: number
  /** Which model, or which built-in means. */
  readonly madeBy: string
}

/** The summary of what lies before a position; undefined while there is none. */
export type SummaryBefore = (position: number) => EarlierSummary | undefined
