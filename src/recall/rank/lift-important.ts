// Raises the score of the best messages by importance: topics that have not faded, messages marked as important, and
// messages that were useful when they were recalled before.

import { definedFields } from '../../domain/defined-fields.ts'
import type { ResolvedRag, ResolvedRecall } from '../../options/recall-options.ts'
import type { MessageMeta } from '../../store/recall-store.ts'
import type { FoundMessage } from '../find-messages.ts'
import type { TopicStarts } from '../name-topics.ts'
import { totalOf } from './ranked-message.ts'

export interface Lifting {
  readonly options: ResolvedRecall
  readonly rag: Pick<ResolvedRag, 'rerankTop'>
  /** Per message: 0 to 1, 0.5 if unknown. */
  readonly readImportance: (heads: readonly MessageMeta[]) => Promise<readonly number[]>
  /** The priority of each message's topic: 0 to 1, 0 without a topic. */
  readonly readPriorities: (heads: readonly MessageMeta[]) => Promise<readonly number[]>
}

export interface Liftable {
  /** Best first. */
  readonly found: readonly FoundMessage[]
  /** Topic starts of the best messages. */
  readonly starts: TopicStarts
}

const NEUTRAL_IMPORTANCE = 0.5
/** Topics are read one by one, so only for the best. */
const TOPICS_READ = 10

/** Sorted again, best first. */
export async function liftImportant(
  { options, rag, readImportance, readPriorities }: Lifting,
  { found, starts }: Liftable,
): Promise<readonly FoundMessage[]> {
  if (options.importanceWeight === 0) return found
  const best = found.slice(0, rag.rerankTop)
  const heads = best.map(({ head }) => head)
  const [importances, priorities] = await Promise.all([
    readImportance(heads),
    readPriorities(
      heads
        .slice(0, TOPICS_READ)
        .map((head) => ({ ...head, ...definedFields({ topic: starts.get(head.locator) }) })),
    ),
  ])
  const lifted = best.map((message, i) => {
    const importance = options.importanceWeight * ((importances[i] as number) - NEUTRAL_IMPORTANCE) * 2
    const recency = options.importanceWeight * (priorities[i] ?? 0)
    const scores = {
      ...message.scores,
      ...(importance !== 0 && { importance }),
      ...(recency > 0.001 && { recency }),
    }
    return { ...message, scores, score: totalOf(scores) }
  })
  return [...lifted, ...found.slice(rag.rerankTop)].sort((one, other) => other.score - one.score)
}
