// What a model is sent: the context window, its shares, and the rolling summary.

/** Usable tokens: the window minus the room kept for the answer. */
export const WINDOWS: Readonly<Record<WindowName, number>> = Object.freeze({
  '12k': 12_000,
  '128k': 120_000, // 8,000 kept for the answer
  '262k': 260_000, // of 262,144
})
export type WindowName = '12k' | '128k' | '262k'

/** The tokens that a window leaves for the request. */
export function usableTokens(window: WindowName | number): number {
  return typeof window === 'number' ? window : WINDOWS[window]
}

export interface ContextConfig {
  /** The model's context window: "12k", "128k" (120,000 tokens and 8,000 for the answer), "262k" (260,000), or a number of tokens. @default "128k" */
  readonly window?: WindowName | number
  /** Maximum tokens for memory, notes and chunks together. @default 800 */
  readonly memoryTokens?: number
  /** Number of receipts kept per conversation. 0: none, and a context cannot build on the previous one. @default 100 */
  readonly maxReceipts?: number
}

export interface ContextConstants {
  /** Maximum facts besides preferences, instructions and pinned facts; also the maximum that recall adds. */
  readonly facts: number
  /** Maximum notes from tools and web searches. */
  readonly notes: number
  /** Number of turns from the beginning that stay when the conversation no longer fits. */
  readonly firstTurns: number
  /** Number of recent messages that are included before memory takes its share, if they fit. */
  readonly minRecentMessages: number
  /** The start of the recent messages moves in steps of this share of the budget, so that prompt caches hit in between. 0: every turn includes as much as fits. */
  readonly tailStep: number
}

export type ResolvedContext = Required<ContextConfig> & ContextConstants

export const CONTEXT_DEFAULTS: Required<ContextConfig> = Object.freeze({
  window: '128k', // what most hosted models accept
  memoryTokens: 800, // a page: more costs attention before it adds anything
  maxReceipts: 100, // up to three kilobytes each: no more than the turns themselves
})

export const CONTEXT_CONSTANTS: ContextConstants = Object.freeze({
  facts: 3, // who the user is; what matters to a question is recalled for it
  notes: 2, // the first two results of a search say most of it
  firstTurns: 2, // they usually state the purpose
  minRecentMessages: 5, // two exchanges and what led to them
  tailStep: 0.125, // the prefix then holds for an eighth of the budget: docs/decisions/0005
})

export interface SummaryConfig {
  /** `off`: conversations are not condensed. Older turns are then only found by recall, or summarized on request. @default "on" */
  readonly rolling?: 'on' | 'off'
  /** The rolling summary is updated after this many new messages. @default 12 */
  readonly everyNMessages?: number
  /** Maximum tokens of the rolling summary. @default 400 */
  readonly maxTokens?: number
}

export interface SummaryConstants {
  /** The summary is also updated when messages outside it take more than this share of the window. */
  readonly tailShare: number
  /** Above this share of the window, the conversation is summarized whatever the message count. */
  readonly windowShare: number
  /** Shorter conversations are never summarized. */
  readonly minMessages: number
  /** Number of recent messages that are never summarized. */
  readonly keepMessages: number
}

export type ResolvedSummaries = Required<SummaryConfig> & SummaryConstants

export const SUMMARY_DEFAULTS: Required<SummaryConfig> = Object.freeze({
  rolling: 'on', // a long conversation without it loses its thread
  everyNMessages: 12, // six exchanges: about a screen
  maxTokens: 400,
})

export const SUMMARY_CONSTANTS: SummaryConstants = Object.freeze({
  tailShare: 0.5, // the other half is for instructions, memory and recalled text
  windowShare: 0.95, // the rest is within the error of counting tokens
  minMessages: 4, // below two exchanges there is nothing to summarize
  keepMessages: 5, // two exchanges and the current question
})

/** Internal: how many queries of a page are selected for a question. */
export interface ResolvedHistory {
  readonly firstQueries: number
  readonly lastQueries: number
  /** Maximum queries that are flagged as important; the newest are kept. */
  readonly flaggedQueries: number
  /** Maximum queries that share words with the question. */
  readonly relevantQueries: number
}

export const HISTORY_CONSTANTS: ResolvedHistory = Object.freeze({
  firstQueries: 2, // what the page is about
  lastQueries: 5, // what is going on
  flaggedQueries: 20, // somebody flagged them one by one
  relevantQueries: 5, // as many as recall returns
})

/** `conversation.chat` and the chat over HTTP. */
export interface ChatConfig {
  /** Maximum tokens of the model's answer. 0: as long as the model allows. @default 0 */
  readonly maxAnswerTokens?: number
  /** `off` stores nothing: the memory is kept in this process and lost when it ends. Only for SQLite. @default "on" */
  readonly persist?: 'on' | 'off'
}

export const CHAT_DEFAULTS: Required<ChatConfig> = Object.freeze({
  maxAnswerTokens: 0, // models differ by a factor of thirty, and reject more than they support
  persist: 'on',
})
