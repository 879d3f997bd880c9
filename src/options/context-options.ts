// What a model is given: windows, shares, and what the earlier turns are condensed to.

/** Usable tokens: what is left of the window after room for the answer. */
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
  /** How much a model takes: "12k", "128k" (120,000 and 8,000 for the answer), "262k" (260,000) or a number of tokens. @default "128k" */
  readonly window?: WindowName | number
  /** The tail's beginning moves in steps of this share of the budget, so that prompt caches hit in between. 0: every turn as much as fits. @default 0.125 */
  readonly tailStep?: number
  /** How many receipts are kept for each conversation. 0: none, and contexts know nothing of the one before. @default 100 */
  readonly receiptsKept?: number
  /** How many turns from the beginning stay when the conversation no longer fits. @default 2 */
  readonly firstTurns?: number
  /** So many of the last messages come in before memory takes its share, if they fit. @default 5 */
  readonly tailLeast?: number
  /** The most facts that stand in front beside preferences, instructions and what is pinned; and the most that recall adds. @default 3 */
  readonly facts?: number
  /** The most earlier turns, queries and summaries that recall adds. @default 5 */
  readonly recalledTurns?: number
  /** The most notes of tools and web searches. @default 2 */
  readonly notes?: number
}

export type ResolvedContext = Required<ContextConfig>

export const CONTEXT_DEFAULTS: ResolvedContext = Object.freeze({
  window: '128k', // what most hosted models take
  tailStep: 0.125, // the prefix then holds for an eighth of the budget: docs/decisions/0005
  receiptsKept: 100, // up to three kilobytes each: no more than the turns themselves
  firstTurns: 2, // what it is all about
  tailLeast: 5, // two exchanges and what led to them
  facts: 3, // who it is; what matters to a question is recalled for it
  recalledTurns: 5, // beyond the best few, what is found is seldom needed
  notes: 2, // short results of a search: the first two say most of it
})

export interface SummaryConfig {
  /** The earlier turns are condensed after so many new messages. @default 12 */
  readonly summaryEveryNMessages?: number
  /** … or when messages outside the summary take more than this share of the window. @default 0.5 */
  readonly summaryTailShare?: number
  /** Above this share of the window, they are condensed whatever the count. @default 0.95 */
  readonly summaryWindowShare?: number
  /** The newest messages that stay whole. @default 5 */
  readonly summaryKeepMessages?: number
  /** Shorter conversations are never condensed. @default 4 */
  readonly summaryLeastMessages?: number
  /** The longest rolling summary. @default 400 */
  readonly summaryMaxTokens?: number
}

export type ResolvedSummaries = Required<SummaryConfig>

export const SUMMARY_DEFAULTS: ResolvedSummaries = Object.freeze({
  summaryEveryNMessages: 12, // six exchanges: about a screen
  summaryTailShare: 0.5, // the other half is for instructions, memory and what recall finds
  summaryWindowShare: 0.95, // what is left is within the error of counting tokens
  summaryKeepMessages: 5, // two exchanges and the live question
  summaryLeastMessages: 4, // below two exchanges there is nothing to condense
  summaryMaxTokens: 400,
})

export interface HistoryConfig {
  /** How many queries from the beginning are in a selection for a question. @default 2 */
  readonly firstQueries?: number
  /** How many from the end. @default 5 */
  readonly lastQueries?: number
  /** The most that are there because they are flagged as important; the newest of them. @default 20 */
  readonly flaggedQueries?: number
  /** The most that are there because they share words with the question. @default 5 */
  readonly relevantQueries?: number
}

export type ResolvedHistory = Required<HistoryConfig>

export const HISTORY_DEFAULTS: ResolvedHistory = Object.freeze({
  firstQueries: 2, // what the page is about
  lastQueries: 5, // what is going on
  flaggedQueries: 20, // somebody marked them one by one
  relevantQueries: 5, // as many as recall keeps
})

/** Whole turns: `conversation.chat`, the chat over HTTP. */
export interface ChatConfig {
  /** The longest answer of the model. 0: as long as the model allows. @default 0 */
  readonly maxTokens?: number
}

export const CHAT_DEFAULTS: Required<ChatConfig> = Object.freeze({
  maxTokens: 0, // models differ by a factor of thirty, and refuse more than they have
})
