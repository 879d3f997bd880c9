// When the earlier turns of a conversation are condensed, and how many of them. In the order of urgency: the
// request nearly fills the window; what no summary covers outgrows its share of the window; enough messages
// came since the last time. The newest messages always stay whole.

export interface SummaryOptions {
  /** Condense after so many new messages. @default 12 */
  readonly everyMessages?: number
  /** The share of the window that messages outside the summary may take. @default 0.5 */
  readonly tailShare?: number
  /** Above this share of the window, condense whatever the count. @default 0.95 */
  readonly windowShare?: number
  /** The newest messages that stay whole. @default 5 */
  readonly keptMessages?: number
  /** Shorter conversations are never condensed. @default 4 */
  readonly leastMessages?: number
  /** The longest summary. @default 400 */
  readonly maxTokens?: number
}

export const SUMMARY_DEFAULTS: Required<SummaryOptions> = Object.freeze({
  everyMessages: 12, // six exchanges: about a screen
  tailShare: 0.5, // the other half is for instructions, memory and what recall finds
  windowShare: 0.95, // what is left is within the error of counting tokens
  keptMessages: 5, // two exchanges and the live question
  leastMessages: 4, // below two exchanges there is nothing to condense
  maxTokens: 400,
})

export interface ConversationState {
  readonly messageCount: number
  /** How many of them, from the first, the summary covers. */
  readonly summarizedCount: number
  /** How many there were when the summary was made; 0 while there is none. */
  readonly countAtSummary: number
  /** The tokens of the messages that the summary does not cover. */
  readonly tailTokens: number
  /** The tokens of the whole request as it would be sent. */
  readonly usedTokens: number
  readonly windowTokens: number
}

export interface SummaryDue {
  readonly reason: 'window' | 'tail' | 'count'
  /** The summary is to cover so many messages, from the first. */
  readonly through: number
}

/** Whether to condense now, and up to where; undefined when it is not due or nothing new could be condensed. */
export function whenToSummarize(
  state: ConversationState,
  options: SummaryOptions = {},
): SummaryDue | undefined {
  const settings = { ...SUMMARY_DEFAULTS, ...options }
  const reason = findReason(state, settings)
  if (reason === undefined || state.messageCount < settings.leastMessages) return undefined
  const through = state.messageCount - countKept(state.messageCount, settings.keptMessages)
  return through > state.summarizedCount ? { reason, through } : undefined
}

function findReason(
  state: ConversationState,
  settings: Required<SummaryOptions>,
): SummaryDue['reason'] | undefined {
  if (state.usedTokens > settings.windowShare * state.windowTokens) return 'window'
  if (state.tailTokens > settings.tailShare * state.windowTokens) return 'tail'
  return state.messageCount - state.countAtSummary >= settings.everyMessages ? 'count' : undefined
}

/** A few huge messages can fill a window too: then the last exchange stays, and the rest is condensed. */
function countKept(messageCount: number, keptMessages: number): number {
  return messageCount > keptMessages ? keptMessages : Math.min(2, keptMessages)
}
