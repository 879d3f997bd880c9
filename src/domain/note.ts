import type { ConversationId, MessageId } from './ids.ts'

/** Where a note comes from. */
export interface NoteSource {
  /** The tool that gave the result. */
  readonly tool?: string
  readonly url?: string
  readonly title?: string
}

/** A short result of a tool or a web search, worth having at hand for a while. */
export interface Note {
  /** Made from the words and where they come from: noting the same again renews it. */
  readonly id: string
  readonly text: string
  readonly source: NoteSource
  /** When the result was found. */
  readonly createdAt: Date
  /** Missing for a note that stays. */
  readonly expiresAt?: Date
  /** Missing for a note of the whole workspace. */
  readonly conversationId?: ConversationId
  /** Messages whose words it may hold: it is erased with any of them. */
  readonly messageIds: readonly MessageId[]
}
