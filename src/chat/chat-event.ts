import type { MemoryErrorCode } from '../domain/errors.ts'
import type { Message } from '../domain/message.ts'
import type { Note } from '../domain/note.ts'
import type { Recalled, SearchedQuestion } from '../domain/recall.ts'
import type { Receipt } from '../domain/receipt.ts'
import type { AnswerEnding } from '../domain/recollect-metadata.ts'

/** The events of a turn, in this order: recorded, searched, remembered, text …, answered. Notices may appear between them. */
export type ChatEvent =
  | QuestionRecorded
  | WebSearched
  | ContextRemembered
  | AnswerText
  | ChatNotice
  | AnswerRecorded

/** The question is durable. For a regenerated answer it was recorded earlier. */
export interface QuestionRecorded {
  readonly type: 'recorded'
  readonly message: Message
  /** The id that the answer will have. */
  readonly answerId: string
}

/** The web was searched because the question asks for something recent. */
export interface WebSearched {
  readonly type: 'searched'
  readonly question: string
  readonly notes: readonly Note[]
}

/** The model's context, explained. */
export interface ContextRemembered {
  readonly type: 'remembered'
  readonly receipt: Receipt
  /** False if the store was full or receipts are off. */
  readonly isReceiptKept: boolean
  /** The question as searched; missing if nothing was recalled. */
  readonly question?: SearchedQuestion
  /** How long building the context took, including recall. */
  readonly contextMs: number
  /** How long recall took; missing if nothing was recalled. */
  readonly recallMs?: number
  /** The results of recall, best first. The receipt says which of them are in the context. */
  readonly recalled: readonly Recalled[]
}

/** A piece of the answer. */
export interface AnswerText {
  readonly type: 'text'
  readonly text: string
}

export type ChatNoticeCode =
  | 'no-model' // the answer quotes memory
  | 'model-failed' // before its first token: the answer quotes memory
  | 'search-failed' // the answer has no web results
  | 'recall-degraded' // a model failed; recall used built-in methods

/** A notice for the reader. The turn continues. */
export interface ChatNotice {
  readonly type: 'notice'
  readonly code: ChatNoticeCode
  readonly text: string
  readonly hint?: string
}

/** The end of the turn. */
export interface AnswerRecorded {
  readonly type: 'answered'
  readonly ending: AnswerEnding
  /** The recorded answer; missing if it was empty. */
  readonly message?: Message
  /** The model that wrote it; missing if it quotes memory. */
  readonly model?: string
  /** The id of the message that it replaces. */
  readonly replaces?: string
  /** The error, if the ending is `failed`. */
  readonly error?: ChatFailure
}

export interface ChatFailure {
  readonly code: MemoryErrorCode
  readonly message: string
  readonly hint?: string
}
