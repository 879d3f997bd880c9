import type { ConversationId, MessageId } from './ids.ts'

/** How long a topic is remembered: a day at first, a month if it is used repeatedly. */
export type MemoryType = 'short-term' | 'transitioning' | 'long-term'

/** Being discussed now; still active; or faded and hidden until it is mentioned again. */
export type TopicState = 'current' | 'live' | 'archived'

/** The subject of a part of a conversation. */
export interface Topic {
  /** The id of its first message. */
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
  /** How often a person mentioned it. */
  readonly accessCount: number
  readonly totalMessages: number
  /** Number of active messages; all of them while the topic is being discussed again. */
  readonly activeMessages: number
  readonly compressedMessages: number
  /** In order. */
  readonly messageIds: readonly MessageId[]
  readonly createdAt: Date
  readonly lastUsedAt: Date
  readonly ageMs: number
  readonly idleMs: number
}

/** A summary of the earlier turns of a conversation, for a reader who sees the later ones in full. */
export interface EarlierSummary {
  /** In the order in which things were said. */
  readonly sentences: readonly {
    readonly text: string
    /** The message that it reports; missing if a model wrote it. */
    readonly messageId?: MessageId
  }[]
  /** The number of messages that it covers, from the first. */
  readonly through: number
  /** The model or built-in method that wrote it. */
  readonly madeBy: string
}

/** The summary of the messages before a position; undefined if there is none. */
export type SummaryBefore = (position: number) => EarlierSummary | undefined
