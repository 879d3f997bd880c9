import type { MemoryErrorCode } from '../domain/errors.ts'
import type { Message } from '../domain/message.ts'
import type { Note } from '../domain/note.ts'
import type { Recalled, SearchedQuestion } from '../domain/recall.ts'
import type { Receipt } from '../domain/receipt.ts'
import type { AnswerEnding } from '../domain/recollect-metadata.ts'

/** What happens in a turn, in this order: recorded, searched, remembered, text …, answered; notices in between. */
export type ChatEvent =
  | QuestionRecorded
  | WebSearched
  | ContextRemembered
  | AnswerText
  | ChatNotice
  | AnswerRecorded

/** The question is durable, whatever happens next. Where another answer is asked for: it has been for long. */
export interface QuestionRecorded {
  readonly type: 'recorded'
  readonly message: Message
  /** The id that the answer will have. */
  readonly answerId: string
}

/** The web was asked, since the question asks for something recent. */
export interface WebSearched {
  readonly type: 'searched'
  readonly question: string
  readonly notes: readonly Note[]
}

/** What the model is given, and why. */
export interface ContextRemembered {
  readonly type: 'remembered'
  readonly receipt: Receipt
  /** False where there was no room left to keep the receipt, or none are kept. */
  readonly isReceiptKept: boolean
  /** The question, made to stand alone where it leaned on what came before; missing where nothing was recalled. */
  readonly question?: SearchedQuestion
  /** What recall found for it, best first; the receipt says what of it went in. */
  readonly recalled: readonly Recalled[]
}

/** A piece of the answer. */
export interface AnswerText {
  readonly type: 'text'
  readonly text: string
}

export type ChatNoticeCode =
  | 'no-model' // the answer is made from memory
  | 'model-failed' // before its first word: the answer is made from memory
  | 'search-failed' // the answer knows nothing from the web
  | 'recall-degraded' // a model that helps recall failed; built-in means took over

/** Something that the reader should know, and that did not stop the turn. */
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
  /** As it is in the record; missing where not a word came. */
  readonly message?: Message
  /** The model that wrote it; missing where it was made from memory. */
  readonly model?: string
  /** The id of the message whose place it takes. */
  readonly replaces?: string
  /** What broke the model, where the ending is `failed`. */
  readonly error?: ChatFailure
}

export interface ChatFailure {
  readonly code: MemoryErrorCode
  readonly message: string
  readonly hint?: string
}
