import type { ConversationId, MessageId } from './ids.ts'
import type { Role } from './message.ts'

/** The kinds of items that recall searches. */
export const RECALL_KINDS = ['message', 'summary', 'fact', 'note', 'chunk', 'query'] as const
export type RecallKind = (typeof RECALL_KINDS)[number]

/** What contributes to the score of an item. */
export const SIGNALS = [
  'words', // its own words
  'neighbours', // the words around it
  'session', // the words of its session
  'conversation', // said where the question is asked
  'meaning', // similarity of vectors
  'speaker', // the question names the speaker
  'entity', // it mentions people and things of the question
  'time', // when it was said, or the time it mentions
  'answer', // it has the kind of answer that is asked for, or answers a question
  'substance', // a statement, not only a question
  'instruction', // a standing instruction
  'update', // it says what changed since another message that was found
  'recency', // its topic has not faded
  'importance', // set, or learned from feedback
  'active-file', // from the active file
  'reranked', // ordered by a re-ranker
] as const
export type Signal = (typeof SIGNALS)[number]

/** Why an item was found, for people and programs. */
export interface Reason {
  readonly signal: Signal
  /** Its contribution to the score. */
  readonly score: number
  /** A phrase: `has "adoption" and "agency"`, `said by Caroline`, `said in May 2023`. */
  readonly text: string
}

/** An item that recall found. */
export interface Recalled {
  readonly kind: RecallKind
  /** The id of the message, fact, note, chunk or query; of a summary, the id of its topic or conversation. */
  readonly id: string
  /** The text, or the relevant passage of a long one. */
  readonly text: string
  /** Set if the text is a passage: its position in the whole, in characters. */
  readonly passage?: { readonly start: number; readonly end: number; readonly of: number }
  /** 0 to 1; comparable within one answer. */
  readonly score: number
  readonly why: readonly Reason[]
  /** The message itself, or the messages it was derived from. */
  readonly messageIds: readonly MessageId[]
  readonly conversationId?: ConversationId
  /** Messages only: the position in the conversation. */
  readonly position?: number
  /** The topic it belongs to, by the id of the message that began it. */
  readonly topicId?: MessageId
  readonly createdAt: Date
  readonly role?: Role
  /** Who said it; for a note or chunk, its source. */
  readonly source?: string
  readonly tokens: number
}

/** The question as searched. */
export interface SearchedQuestion {
  readonly asked: string
  /** The rewritten question, if it was a follow-up. */
  readonly standalone?: string
  /** How it was rewritten, and what was added. */
  readonly rewrittenBecause?: string
}

/** An item that nearly made it into the answer. */
export interface LeftOut {
  readonly kind: RecallKind
  readonly id: string
  readonly score: number
  readonly reason:
    | 'below the threshold'
    | 'nearly the same as another'
    | 'over the limit'
    | 'over the budget'
    | 'already in the context'
  readonly why: readonly Reason[]
}

/** A word of the question, with its weight. */
export interface SearchedWord {
  readonly word: string
  /** Number of messages that have it or a form of it; an estimate if there are many. */
  readonly messages: number
  /** Higher for rare words; 0 for words that occur everywhere. */
  readonly weight: number
}

export interface RecallAnswer {
  readonly question: SearchedQuestion
  readonly words: readonly SearchedWord[]
  /** Best first. */
  readonly items: readonly Recalled[]
  /** The best items that were left out, best first. */
  readonly leftOut: readonly LeftOut[]
  /** Notices for the reader, such as a model that failed and what was used instead. */
  readonly notices: readonly string[]
}

/** An answer explained to people. */
export interface Explanation {
  readonly answer: RecallAnswer
  /** Sentences: what was searched for, what was found and why, what was left out. */
  readonly lines: readonly string[]
}
