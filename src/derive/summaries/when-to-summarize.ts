// Decides when to condense the earlier turns of a conversation, and how many. By urgency: the request nearly
// fills the window; the messages outside the summary exceed their share of the window; enough messages were added
// since the last summary. The newest messages are always kept in full.

import type { ResolvedSummaries } from '../../options/context-options.ts'

export interface ConversationState {
  readonly messageCount: number
  /** Number of messages that the summary covers, from the first. */
  readonly summarizedCount: number
  /** Number of messages when the summary was made; 0 if there is none. */
  readonly countAtSummary: number
  /** Total tokens of the messages outside the summary. */
  readonly tailTokens: number
  /** Total tokens of the request as it would be sent. */
  readonly usedTokens: number
  readonly windowTokens: number
}

export interface SummaryDue {
  readonly reason: 'window' | 'tail' | 'count'
  /** Number of messages that the summary should cover, from the first. */
  readonly through: number
}

/** Whether to condense now, and up to where; undefined if it is not due or there is nothing new to condense. */
export function whenToSummarize(
  state: ConversationState,
  settings: ResolvedSummaries,
): SummaryDue | undefined {
  const reason = findReason(state, settings)
  if (reason === undefined || state.messageCount < settings.minMessages) return undefined
  const through = state.messageCount - countKept(state.messageCount, settings.keepMessages)
  return through > state.summarizedCount ? { reason, through } : undefined
}

function findReason(state: ConversationState, settings: ResolvedSummaries): SummaryDue['reason'] | undefined {
  if (state.usedTokens > settings.windowShare * state.windowTokens) return 'window'
  if (state.tailTokens > settings.tailShare * state.windowTokens) return 'tail'
  return state.messageCount - state.countAtSummary >= settings.everyNMessages ? 'count' : undefined
}

/** A few huge messages can fill a window too. Then only the last exchange is kept in full. */
function countKept(messageCount: number, keptMessages: number): number {
  return messageCount > keptMessages ? keptMessages : Math.min(2, keptMessages)
}
