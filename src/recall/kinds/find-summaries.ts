import type { ConversationId, MessageId } from '../../domain/ids.ts'
import { passageFinder } from '../passage-of.ts'
import { round } from '../reasons.ts'
import type { ScoredItem } from '../scored-item.ts'
import type { TextJudge } from './weigh-text.ts'

/** The rolling summary of a conversation. */
export interface ConversationSummary {
  readonly conversationId: ConversationId
  readonly text: string
  readonly messageIds: readonly MessageId[]
  readonly madeAt: Date
}

/** Messages rank before summaries of them, unless the question asks for a whole subject. */
const SUMMARY_SHARE = 0.7

interface SummarySearch {
  readonly ideal: number
  readonly asksForAll: boolean
  readonly near?: ReadonlyMap<string, number>
}

export function findSummaries(
  summaries: readonly ConversationSummary[],
  judge: TextJudge,
  { ideal, asksForAll, near }: SummarySearch,
): readonly ScoredItem[] {
  return summaries.flatMap(({ conversationId, text, messageIds, madeAt }) => {
    const { score, similarity, why } = judge.judge(text, near?.get(conversationId))
    if (similarity === 0) return []
    const share = asksForAll ? 1 : SUMMARY_SHARE
    return [
      {
        kind: 'summary' as const,
        id: conversationId,
        text,
        findPassage: passageFinder(text, judge.lookup, judge.weightOf),
        score: Math.min(1, (score / ideal) * share),
        similarity,
        why: why.map((reason) => ({ ...reason, score: round(reason.score * share) })),
        messageIds,
        conversationId,
        createdAt: madeAt,
      },
    ]
  })
}
