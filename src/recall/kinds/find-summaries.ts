import type { ConversationId, MessageId } from '../../domain/ids.ts'
import type { Found } from '../found.ts'
import { passageOf } from '../passage-of.ts'
import { round } from '../reasons.ts'
import type { TextJudge } from './weigh-text.ts'

/** The rolling summary of a conversation. */
export interface ConversationSummary {
  readonly conversationId: ConversationId
  readonly text: string
  readonly messageIds: readonly MessageId[]
  readonly madeAt: Date
}

/** What was said itself comes before what was made of it, unless the whole of a matter is asked for. */
const SECOND_HAND = 0.7

export function findSummaries(
  summaries: readonly ConversationSummary[],
  judge: TextJudge,
  { ideal, asksForAll }: { readonly ideal: number; readonly asksForAll: boolean },
): readonly Found[] {
  return summaries.flatMap(({ conversationId, text, messageIds, madeAt }) => {
    const { score, coverage, why } = judge.judge(text)
    if (coverage === 0) return []
    const passage = passageOf(text, judge.lookup, judge.weightOf)
    const share = asksForAll ? 1 : SECOND_HAND
    return [
      {
        kind: 'summary' as const,
        id: conversationId,
        text: passage === undefined ? text : text.slice(passage.start, passage.end),
        ...(passage !== undefined && { passage: { ...passage, of: text.length } }),
        score: Math.min(1, (score / ideal) * share),
        similarity: Math.sqrt(coverage),
        why: why.map((reason) => ({ ...reason, score: round(reason.score * share) })),
        messageIds,
        conversationId,
        createdAt: madeAt,
      },
    ]
  })
}
