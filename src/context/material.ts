import type { Message } from '../domain/message.ts'
import type { Note } from '../domain/note.ts'
import type { RecallAnswer } from '../domain/recall.ts'
import type { ContextFingerprint } from '../domain/receipt.ts'
import type { SummaryBefore } from '../domain/topic.ts'
import type { StandingMemory } from './memory/standing.ts'
import type { TokenCounter } from './render-context.ts'

/** Everything that a context is made from, but for what recall finds. */
export interface ContextMaterial {
  /** The end of the conversation, in order, at least as long as the budget. */
  readonly history: readonly Message[]
  /** What stands between and is not sent. */
  readonly left?: readonly LeftMessage[]
  /** Recorded system messages, wherever in the conversation they stand. */
  readonly systemMessages: readonly Message[]
  readonly query?: string
  readonly system?: string
  readonly tools: readonly unknown[]
  readonly budgetTokens: number
  readonly stepTokens: number
  readonly counter: TokenCounter
  readonly previous?: ContextFingerprint & { readonly receiptId?: string }
  /** Missing where memory is off: then a context is the tail and the live turn. */
  readonly memory?: MemoryMaterial
}

/** A message of the record that is not part of the talk. */
export interface LeftMessage {
  readonly message: Message
  readonly reason: string
}

/** What is remembered beside the end of the conversation. */
export interface MemoryMaterial {
  readonly limits: MemoryLimits
  readonly standing: StandingMemory
  readonly summaryBefore: SummaryBefore
  /** The first messages of the conversation, where the history does not reach back to them. */
  readonly beginning: readonly Message[]
  /** Notes of the conversation, newest first. */
  readonly notes: readonly Note[]
}

/** How much of what may come in. */
export interface MemoryLimits {
  /** Everything that is remembered together, but for the summary and the first turns. */
  readonly memoryTokens: number
  readonly summaryTokens: number
  readonly firstTurns: number
  readonly minRecentMessages: number
  readonly facts: number
  readonly recalledTurns: number
  readonly notes: number
  readonly finalChunks: number
}

/** What recall found for the question. */
export interface Found {
  readonly answer: RecallAnswer
  /** Titles of conversations, by id; those that have none are missing. */
  readonly titles: ReadonlyMap<string, string>
}
