import type { ConversationId, MessageId } from './ids.ts'

/** The source of a note. */
export interface NoteSource {
  /** The tool that returned the result. */
  readonly tool?: string
  readonly url?: string
  readonly title?: string
}

/** A short result of a tool or a web search, worth keeping for a while. */
export interface Note {
  /** Derived from the text and its source: adding the same note again renews it. */
  readonly id: string
  readonly text: string
  readonly source: NoteSource
  /** When the result was found. */
  readonly createdAt: Date
  /** Missing if the note never expires. */
  readonly expiresAt?: Date
  /** Missing for a note of the whole workspace. */
  readonly conversationId?: ConversationId
  /** Messages whose text it may contain: erasing any of them erases the note. */
  readonly messageIds: readonly MessageId[]
}
