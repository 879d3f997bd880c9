import type { MessageId } from '../../domain/ids.ts'
import type { Role } from '../../domain/message.ts'

/** A message as a summary uses it: its speaker and text. */
export interface Turn {
  readonly id: MessageId
  readonly role: Role
  readonly name?: string
  readonly text: string
  readonly createdAt: Date
  readonly position: number
}

export interface SummarySentence {
  readonly text: string
  /** The message that it reports. */
  readonly messageId: MessageId
  /** 0 to 1: how much it matters. The next roll compares it with new sentences. */
  readonly weight: number
}

export interface Summary {
  readonly text: string
  /** Key topics as noun phrases, the highest weight first. */
  readonly keyTopics: readonly string[]
  /** The messages that the sentences came from, in order, without duplicates. */
  readonly messageIds: readonly MessageId[]
  readonly tokens: number
  readonly sentences: readonly SummarySentence[]
}
