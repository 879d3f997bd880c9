import type { ConversationId, MessageId } from './ids.ts'
import type { Role } from './message.ts'

/** What recall looks through. */
export const RECALL_KINDS = ['message', 'summary', 'fact', 'note', 'chunk', 'query'] as const
export type RecallKind = (typeof RECALL_KINDS)[number]

/** What lifts an item to its place. */
export const SIGNALS = [
  'words', // its own words
  'neighbours', // the words around it
  'session', // the words of the sitting it belongs to
  'conversation', // said where the question is asked
  'meaning', // its vector
  'speaker', // who said it is named in the question
  'entity', // the people and things of the question are in it
  'time', // when it was said, or the time it speaks of
  'answer', // it has the kind of thing that is asked for, or answers a question
  'substance', // it says something, and does not only ask
  'instruction', // an order that stands, whatever is asked
  'recency', // its topic has not faded
  'importance', // given, or learned from feedback
  'active-file', // belongs to the file that is open
  'reranked', // read together with the question
] as const
export type Signal = (typeof SIGNALS)[number]

/** Why an item came up, for people and programs. */
export interface Reason {
  readonly signal: Signal
  /** What it added to the score. */
  readonly score: number
  /** A phrase: `has "adoption" and "agency"`, `said by Caroline`, `said in May 2023`. */
  readonly text: string
}

/** Something that was found again. */
export interface Recalled {
  readonly kind: RecallKind
  /** Of the message, fact, note, chunk or query; of a summary: the topic's id, or the conversation's. */
  readonly id: string
  /** The whole of it, or the passage of a long one that matters. */
  readonly text: string
  /** Where the text is a passage: its place in the whole, in characters. */
  readonly passage?: { readonly start: number; readonly end: number; readonly of: number }
  /** 0 to 1; comparable within one answer. */
  readonly score: number
  readonly why: readonly Reason[]
  /** The messages that it is, or came from. */
  readonly messageIds: readonly MessageId[]
  readonly conversationId?: ConversationId
  /** Of a message: where it stands. */
  readonly position?: number
  /** The topic it belongs to, by the id of the message that began it. */
  readonly topicId?: MessageId
  readonly createdAt: Date
  readonly role?: Role
  /** Who said it; for a note or chunk, where it is from. */
  readonly source?: string
  readonly tokens: number
}

/** What was searched for. */
export interface SearchedQuestion {
  readonly asked: string
  /** The question made to stand alone, where it leaned on what came before. */
  readonly standalone?: string
  /** By which means, and what was carried over. */
  readonly rewrittenBecause?: string
}

/** Something that was close, and stayed out. */
export interface LeftOut {
  readonly kind: RecallKind
  readonly id: string
  readonly score: number
  readonly reason:
    | 'below the threshold'
    | 'nearly the same as another'
    | 'over the limit'
    | 'over the budget'
    | 'already in sight'
  readonly why: readonly Reason[]
}

/** A word of the question, and how much it told. */
export interface SearchedWord {
  readonly word: string
  /** How many messages have it or a form of it; about, where there are many. */
  readonly messages: number
  /** More for rare words; 0 for what is everywhere. */
  readonly weight: number
}

export interface RecallAnswer {
  readonly question: SearchedQuestion
  readonly words: readonly SearchedWord[]
  /** Best first. */
  readonly items: readonly Recalled[]
  /** The best of what stayed out, best first. */
  readonly leftOut: readonly LeftOut[]
  /** What a reader should know: a model that failed, and what was done instead. */
  readonly notices: readonly string[]
}

/** An answer told to people. */
export interface Explanation {
  readonly answer: RecallAnswer
  /** What was searched for, what came up and why, what did not, in sentences. */
  readonly lines: readonly string[]
}

/** Where to look, and for how much. */
export interface RecallOptions {
  /** One conversation. @default the whole workspace, without conversations whose memory is off */
  readonly conversationId?: string
  /** Several of them. */
  readonly conversationIds?: readonly string[]
  /** Where the question is asked: what it leans on, and what is said there, comes first. @default conversationId */
  readonly currentConversationId?: string
  /** The message that asks, where it is recorded: its words tell nothing of what stands around it. */
  readonly questionMessageId?: string
  /** Only what was said in these topics, by the ids of the messages that began them. */
  readonly topicIds?: readonly string[]
  /** @default all */
  readonly kinds?: readonly RecallKind[]
  /** The most items. @default the option recall.limit, or as many as the budget holds where one is given */
  readonly limit?: number
  /** The most tokens that the texts may have together. */
  readonly budgetTokens?: number
  /** Only what was said at or after this moment. */
  readonly from?: Date | string
  /** Only what was said before this moment. */
  readonly to?: Date | string
  /** As things were known then: nothing said later, facts as they held. */
  readonly asOf?: Date | string
  /** The document whose chunks come first. @default the page's active file, where one conversation is given */
  readonly activeFile?: string
  /** Messages that the reader sees already; they are not recalled. */
  readonly excludeMessageIds?: readonly string[]
  readonly signal?: AbortSignal
}
