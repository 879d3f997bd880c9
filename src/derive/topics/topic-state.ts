import type { Role } from '../../domain/message.ts'
import type { MessageCues } from './message-cues.ts'
import type { Centroid } from './vectors.ts'

/** A message as topic matching takes it. */
export interface TopicMessage {
  readonly role: Role
  readonly text: string
  readonly name?: string
  readonly saidAt: Date
  readonly position: number
  /** From the embedder, of unit length. */
  readonly vector: Float32Array
}

/** What matching needs to know of a topic. */
export interface MatchedTopic {
  /** The position of its first message: the topic's key within the conversation. */
  readonly start: number
  readonly title: string
  readonly centroid: Centroid
}

/** A message with what was read off it. */
export interface ReadMessage {
  readonly role: Role
  readonly name?: string
  readonly saidAtMs: number
  readonly position: number
  /** Of messages without words that came after it and go where it goes: tool results, system messages. */
  readonly followers: readonly number[]
  readonly title: string
  readonly centroid: Centroid
  readonly cues: MessageCues
}

/** Who speaks in this conversation, and how. */
export interface Speakers {
  readonly assistantMessages: number
  readonly personalMessages: number
  readonly userMessages: number
  readonly understoodMessages: number
  readonly firstUserName?: string
  readonly hasSecondUserName: boolean
}

/** A course of topics: all that is settled up to a message. */
export interface TopicCourse {
  readonly topics: readonly MatchedTopic[]
  /** The start of the current topic. */
  readonly current: number
  /** The current topic's last words, fading. */
  readonly recent: Centroid
  readonly last: ReadMessage
  readonly speakers: Speakers
}

/** Everything that matching remembers of a conversation. Plain data; never changed, only replaced. */
export interface TopicState {
  /** Up to the message before the newest: those assignments stay. */
  readonly settled?: TopicCourse
  /** The newest message: where it belongs is weighed again when the next one comes. */
  readonly newest?: ReadMessage
  /** The topic that was reported for the newest message. */
  readonly newestTopic?: number
  /** Messages without words before the first with words. */
  readonly leading: readonly number[]
}
