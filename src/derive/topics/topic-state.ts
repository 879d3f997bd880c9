import type { Role } from '../../domain/message.ts'
import type { MessageCues } from './message-cues.ts'
import type { Centroid } from './vectors.ts'

/** A message as input of topic matching. */
export interface TopicMessage {
  readonly role: Role
  readonly text: string
  readonly name?: string
  readonly saidAt: Date
  readonly position: number
  /** From the embedder, of unit length. */
  readonly vector: Float32Array
}

/** The fields of a topic that matching uses. */
export interface MatchedTopic {
  /** The position of its first message: the topic's key within the conversation. */
  readonly start: number
  readonly title: string
  readonly centroid: Centroid
}

/** A message with its cues and centroid. */
export interface ReadMessage {
  readonly role: Role
  readonly name?: string
  readonly saidAtMs: number
  readonly position: number
  /** Positions of messages without spoken text that follow it and share its topic: tool results, system messages. */
  readonly followers: readonly number[]
  readonly title: string
  readonly centroid: Centroid
  readonly cues: MessageCues
}

/** Statistics about the speakers of a conversation. */
export interface Speakers {
  readonly assistantMessages: number
  readonly personalMessages: number
  readonly userMessages: number
  readonly understoodMessages: number
  readonly firstUserName?: string
  readonly hasSecondUserName: boolean
}

/** The final topic assignments up to a message. */
export interface TopicCourse {
  readonly topics: readonly MatchedTopic[]
  /** The start of the current topic. */
  readonly current: number
  /** Centroid of the current topic's recent messages, decaying. */
  readonly recent: Centroid
  readonly last: ReadMessage
  readonly speakers: Speakers
}

/** Everything that matching remembers about a conversation. Plain, immutable data. */
export interface TopicState {
  /** Up to the message before the newest: these assignments are final. */
  readonly settled?: TopicCourse
  /** The newest message. Its topic is re-evaluated when the next one arrives. */
  readonly newest?: ReadMessage
  /** The topic that was reported for the newest message. */
  readonly newestTopic?: number
  /** Messages without spoken text before the first one with text. */
  readonly leading: readonly number[]
}
