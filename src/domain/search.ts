import type { Conversation } from './conversation.ts'
import type { ConversationId, MessageId } from './ids.ts'

/** A required term: a word, or several consecutive words. */
export interface SearchTerm {
  readonly words: readonly string[]
  /** The last word is a prefix: `lis` finds "Lisbon". */
  readonly isPrefix: boolean
}

/** An excerpt with its matches. */
export interface Snippet {
  readonly text: string
  /** Start and end of each match within `text`. */
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
  /** Title and tags, with their matches. */
  readonly snippet: Snippet
}

/** One page of a longer list; pass `next` to get the next page. It is missing at the end. */
export interface Paginated<Item> {
  readonly items: readonly Item[]
  readonly next?: string
}
