import type { ConversationId, MessageId } from './ids.ts'
import type { JsonObject } from './json.ts'

/** An ordered list of messages under an id that the application chooses. */
export interface Conversation {
  readonly id: ConversationId
  readonly title?: string
  /** A title that somebody gave is never replaced by a made one. */
  readonly isTitleGiven: boolean
  readonly tags: readonly string[]
  readonly isPinned: boolean
  readonly archivedAt?: Date
  /** Off: nothing is derived from this conversation and nothing of it is recalled elsewhere. */
  readonly isMemoryOn: boolean
  /** Ids of attached documents. */
  readonly documents: readonly string[]
  readonly metadata: JsonObject
  readonly forkedFrom?: ForkPoint
  readonly messageCount: number
  readonly tokenCount: number
  readonly createdAt: Date
  /** The time of the newest message, or of creation while there is none. */
  readonly lastUsedAt: Date
}

export interface ForkPoint {
  readonly conversationId: ConversationId
  readonly messageId: MessageId
  readonly position: number
}
