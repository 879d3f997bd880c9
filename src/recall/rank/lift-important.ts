// Among the best, what matters to people is lifted: topics that have not faded, messages that were marked as
// important, and what was of use when it was recalled before.

import { definedFields } from '../../domain/defined-fields.ts'
import type { ResolvedRag, ResolvedRecall } from '../../options/recall-options.ts'
import type { MessageMeta } from '../../store/recall-store.ts'
import type { FoundMessage } from '../find-messages.ts'
import type { TopicStarts } from '../name-topics.ts'
import { totalOf } from './candidate.ts'

export interface Lifting {
  readonly options: ResolvedRecall
  readonly rag: Pick<ResolvedRag, 'rerankTop'>
  /** Of messages: 0 to 1, 0.5 where nobody said anything; in order. */
  readonly readImportance: (heads: readonly MessageMeta[]) => Promise<readonly number[]>
  /** Of the topics of messages: 0 to 1, 0 where there is none; in order. */
  readonly readPriorities: (heads: readonly MessageMeta[]) => Promise<readonly number[]>
}

export interface Liftable {
  /** Best first. */
  readonly found: readonly FoundMessage[]
  /** Where the topics of the best began. */
  readonly starts: TopicStarts
}

const PLAIN = 0.5
/** Topics are asked for one by one: those of the best only. */
const TOPICS_READ = 10

/** Best first again. */
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
    const importance = options.importanceWeight * ((importances[i] as number) - PLAIN) * 2
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
