// What the readers of foreign formats make of an export, whatever it looks like there: conversations with a
// current branch and others beside it, statements without messages, and messages that come one by one.
// Nothing is checked yet: texts may be too long, times may lie in the future.

import type { JsonObject } from '../../../domain/json.ts'
import type { NewMessage } from '../../../domain/message.ts'
import type { ImportFormat } from '../imported.ts'

export interface ForeignMessage extends Omit<NewMessage, 'id' | 'createdAt' | 'importance'> {
  /** Differs from all others of the conversation, and is the same in every export of it. */
  readonly id: string
  readonly createdAt?: Date
}

/** Messages beside the current branch. */
export interface ForeignBranch {
  /** The message that it goes on from; missing where it begins anew. */
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
  /** In an order in which each goes on from something that came before it. */
  readonly branches: readonly ForeignBranch[]
  /** Further parts of it may follow. */
  readonly isPart?: true
  /** The last message of an earlier part of the same conversation. */
  readonly continues?: string
  readonly problems: readonly ForeignProblem[]
}

/** A statement of another memory. */
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

/** One message that says itself where it belongs, or nothing of it. */
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

/** How one format is read. */
export interface ForeignFormat {
  readonly name: ImportFormat
  /** What a record of it is, for people. */
  readonly noun: string
  recognizes(value: unknown): boolean
  /** Throws where the value is no record of this format. `text` is the value as it is written. */
  read(value: unknown, text: string): Foreign
}
