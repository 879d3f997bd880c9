import type { Chunk, Document } from '../domain/document.ts'
import type { Message } from '../domain/message.ts'
import type { Note } from '../domain/note.ts'
import type { PageState, Query } from '../domain/page.ts'
import type { RecallAnswer } from '../domain/recall.ts'
import type { ContextFingerprint } from '../domain/receipt.ts'
import type { SummaryBefore } from '../domain/topic.ts'
import type { StandingMemory } from './memory/standing.ts'
import type { TokenCounter } from './render-context.ts'

/** Everything that a context is built from, except the results of recall. */
export interface ContextMaterial {
  /** The end of the conversation, in order, at least as long as the budget. */
  readonly history: readonly Message[]
  /** Messages in between that are not sent. */
  readonly left?: readonly LeftMessage[]
  /** All recorded system messages of the conversation. */
  readonly systemMessages: readonly Message[]
  readonly query?: string
  readonly system?: string
  readonly tools: readonly unknown[]
  readonly budgetTokens: number
  readonly stepTokens: number
  readonly counter: TokenCounter
  readonly previous?: ContextFingerprint & { readonly receiptId?: string }
  /** Missing if memory is off; a context is then the tail and the live turn. */
  readonly memory?: MemoryMaterial
}

/** A recorded message that is not part of the conversation. */
export interface LeftMessage {
  readonly message: Message
  readonly reason: string
}

/** Memory beyond the end of the conversation. */
export interface MemoryMaterial {
  readonly limits: MemoryLimits
  readonly standing: StandingMemory
  readonly summaryBefore: SummaryBefore
  /** The first messages of the conversation, if the history does not include them. */
  readonly beginning: readonly Message[]
  /** Notes of the conversation, newest first. */
  readonly notes: readonly Note[]
}

/** Limits of memory. */
export interface MemoryLimits {
  /** All memory except the summary and the first turns. */
  readonly memoryTokens: number
  readonly summaryTokens: number
  readonly firstTurns: number
  readonly minRecentMessages: number
  readonly facts: number
  readonly notes: number
  readonly finalChunks: number
}

/** The page on which a question is asked, with the document that is its active file, if that is stored here. */
export interface ContextPage extends PageState {
  readonly document?: Document
}

/** What a page adds to the context of a question. */
export interface PageMaterial {
  readonly state: PageState
  readonly document?: Document
  /** The columns or headings of the active file: "columns: customer, revenue". Empty if it has none. */
  readonly outline: string
  /** The first chunks of the active file. */
  readonly beginning: readonly Chunk[]
  /** The queries of its history that were selected for the question. */
  readonly queries: readonly Query[]
}

/** The results of recall for the question. */
export interface RecallResult {
  readonly answer: RecallAnswer
  /** Titles of conversations by id, where they have one. */
  readonly titles: ReadonlyMap<string, string>
  /** Missing if the question is not asked on a page. */
  readonly page?: PageMaterial
}
