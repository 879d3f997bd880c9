import type { Conversation } from './conversation.ts'
import type { ConversationId, MessageId } from './ids.ts'

/** One thing that must be there: a word, or several words in a row. */
export interface SearchTerm {
  readonly words: readonly string[]
  /** The last word may go on: `lis` finds "Lisbon". */
  readonly isPrefix: boolean
}

/** A stretch of text with the places that matched. */
export interface Snippet {
  readonly text: string
  /** Start and end of each hit within `text`. */
  readonly highlights: readonly (readonly [start: number, end: number])[]
}

export interface MessageHit {
  readonly conversationId: ConversationId
  readonly messageId: MessageId
  readonly position: number
  readonly createdAt: Date
  readonly snippet: Snippet
}

/** A conversation whose title or tags match. */
export interface ConversationHit {
  readonly conversation: Conversation
  /** Title and tags, with the places that matched. */
  readonly snippet: Snippet
}

/** A slice of a longer list; `next` is handed back in to get on, and is missing at the end. */
export interface Paginated<Item> {
  readonly items: readonly Item[]
  readonly next?: string
}
