// When the earlier turns of a conversation are condensed, and how many of them. In the order of urgency: the
// request nearly fills the window; what no summary covers outgrows its share of the window; enough messages
// came since the last time. The newest messages always stay whole.

import type { ResolvedSummaries } from '../../options/context-options.ts'

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

/** A few huge messages can fill a window too: then the last exchange stays, and the rest is condensed. */
function countKept(messageCount: number, keptMessages: number): number {
  return messageCount > keptMessages ? keptMessages : Math.min(2, keptMessages)
}
