// The neutral form that format readers produce: conversations with a current branch and other branches, facts, and
// single messages. Nothing is validated yet: texts may be too long, timestamps may be in the future.

import type { JsonObject } from '../../../domain/json.ts'
import type { NewMessage } from '../../../schemas/message.ts'
import type { ImportFormat } from '../imported.ts'

export interface ForeignMessage extends Omit<NewMessage, 'id' | 'createdAt' | 'importance'> {
  /** Unique within the conversation, and stable across exports. */
  readonly id: string
  readonly createdAt?: Date
}

/** Messages on a branch other than the current one. */
export interface ForeignBranch {
  /** The message before the branch; missing if it starts from the beginning. */
  readonly after?: string
  readonly messages: readonly ForeignMessage[]
}

export interface ForeignConversation {
  readonly kind: 'conversation'
  readonly id: string
  readonly title?: string
  readonly createdAt?: Date
  readonly tags?: readonly string[]
  readonly isPinned?: boolean
  readonly isArchived?: boolean
  readonly isMemoryOn?: boolean
  readonly metadata?: JsonObject
  /** The current branch. */
  readonly messages: readonly ForeignMessage[]
  /** Ordered so that each branch starts from a message before it. */
  readonly branches: readonly ForeignBranch[]
  /** Further parts of it may follow. */
  readonly isPart?: true
  /** The last message of an earlier part of the same conversation. */
  readonly continues?: string
  readonly problems: readonly ForeignProblem[]
}

/** A fact of another memory. */
export interface ForeignFact {
  /** The same in every export. */
  readonly id: string
  readonly text: string
  readonly createdAt?: Date
  readonly validUntil?: Date
}

export interface ForeignFacts {
  readonly kind: 'facts'
  readonly facts: readonly ForeignFact[]
}

/** A single message, with or without a conversation id. */
export interface LooseMessage {
  readonly kind: 'message'
  readonly conversationId?: string
  readonly message: Omit<ForeignMessage, 'id'>
}

export interface ForeignProblem {
  /** Within the record: `message 4`; empty for all of it. */
  readonly place: string
  readonly reason: string
  readonly isSkipped: boolean
  /** Reported only the first time in an import. */
  readonly isOnce?: boolean
}

export type Foreign = ForeignConversation | ForeignFacts | LooseMessage

/** The reader of one format. */
export interface ForeignFormat {
  readonly name: ImportFormat
  /** The name of a record, for messages. */
  readonly noun: string
  recognizes(value: unknown): boolean
  /** Throws if the value is not a record of this format. `text` is the JSON of the value. */
  read(value: unknown, text: string): Foreign
}
