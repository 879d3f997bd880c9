// How far a conversation is condensed, and when it is to be condensed again. Asked after every message, so that
// it needs nothing of the rules for condensing.

import type { ResolvedSummaries } from '../../options/context-options.ts'
import type { Summary } from './summary.ts'
import type { PastSentence } from './summary-history.ts'
import { whenToSummarize } from './when-to-summarize.ts'

export const SUMMARIES = 'summaries'
/** What a model wrote in its place. */
export const MODEL_SUMMARIES = 'model-summaries'
/** Of the rules for condensing without a model. */
export const SUMMARIES_VERSION = 'summaries/1'
/** The key of the summary of a whole conversation. */
export const WHOLE_CONVERSATION = 'conversation'

export interface WhenToRoll {
  readonly options: ResolvedSummaries
  readonly windowTokens: number
}

/** How far condensing has come. */
export interface Rolled {
  /** The summary covers so many messages, from the first. */
  readonly through: number
  /** So many there were when it was made. */
  readonly countAt: number
  /** The tokens of the messages that it covers. */
  readonly tokensThrough: number
  readonly summary?: Summary
  /** What earlier summaries said; see summary-history.ts. */
  readonly history?: readonly PastSentence[]
}

export const NOTHING_ROLLED: Rolled = Object.freeze({ through: 0, countAt: 0, tokensThrough: 0 })

/** Whether the conversation is to be condensed when it has so many messages and tokens, and up to where. */
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
