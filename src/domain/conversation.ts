import type { ConversationId, MessageId } from './ids.ts'
import type { JsonObject } from './json.ts'

/** An ordered list of messages with an id chosen by the application. */
export interface Conversation {
  readonly id: ConversationId
  readonly title?: string
  /** A title set by a user or the application is never replaced by a generated one. */
  readonly isTitleGiven: boolean
  readonly tags: readonly string[]
  readonly isPinned: boolean
  readonly archivedAt?: Date
  /** Off: nothing is derived from this conversation, and nothing of it is recalled elsewhere. */
  readonly isMemoryOn: boolean
  /** Ids of attached documents. */
  readonly documents: readonly string[]
  readonly metadata: JsonObject
  readonly forkedFrom?: ForkPoint
  readonly messageCount: number
  readonly tokenCount: number
  readonly createdAt: Date
  /** The time of the newest message; the time of creation if there is none. */
  readonly lastUsedAt: Date
}

export interface ForkPoint {
  readonly conversationId: ConversationId
  readonly messageId: MessageId
  readonly position: number
}
