// How far a conversation is condensed, and when to condense it again. Checked after every message, so this module
// does not import the rules for condensing.

import type { ResolvedSummaries } from '../../options/context-options.ts'
import type { Summary } from './summary.ts'
import type { PastSentence } from './summary-history.ts'
export const SUMMARIES = 'summaries'
/** Summaries written by a model. */
export const MODEL_SUMMARIES = 'model-summaries'
/** Version of the rules for condensing without a model. */
export const SUMMARIES_VERSION = 'summaries/1'
/** The key of the summary of a whole conversation. */
export const WHOLE_CONVERSATION = 'conversation'

export interface WhenToRoll {
  readonly options: ResolvedSummaries
  readonly windowTokens: number
}

/** The progress of condensing. */
export interface Rolled {
  /** Number of messages that the summary covers, from the first. */
  readonly through: number
  /** Number of messages when the summary was made. */
  readonly countAt: number
  /** Total tokens of the messages that it covers. */
  readonly tokensThrough: number
  readonly summary?: Summary
  /** Sentences of earlier summaries; see summary-history.ts. */
  readonly history?: readonly PastSentence[]
}

export const NOTHING_ROLLED: Rolled = Object.freeze({ through: 0, countAt: 0, tokensThrough: 0 })

/** Whether to condense the conversation at this size, and up to which message. */
export function findDue(
  rolled: Rolled,
  { messageCount, tokenCount }: { readonly messageCount: number; readonly tokenCount: number },
  { options, windowTokens }: WhenToRoll,
): number | undefined {
  const tailTokens = tokenCount - rolled.tokensThrough
  const state = {
    messageCount,
    summarizedCount: rolled.through,
    countAtSummary: rolled.countAt,
    tailTokens,
    usedTokens: tailTokens + (rolled.summary?.tokens ?? 0),
    windowTokens,
  }
  return whenToSummarize(state, options)?.through
}

// Decides when to condense the earlier turns of a conversation, and how many. By urgency: the request nearly
// fills the window; the messages outside the summary exceed their share of the window; enough messages were added
// since the last summary. The newest messages are always kept in full.

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

interface SummaryDue {
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
