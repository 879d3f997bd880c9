// How far a conversation is condensed, and when to condense it again. Checked after every message, so this module
// does not import the rules for condensing.

import type { ResolvedSummaries } from '../../options/context-options.ts'
import type { Summary } from './summary.ts'
import type { PastSentence } from './summary-history.ts'
import { whenToSummarize } from './when-to-summarize.ts'

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
