import { isMemoryError } from '../domain/errors.ts'
import type { Reranker } from '../model/models.ts'
import type { ResolvedRag } from '../options/recall-options.ts'
import { type ScoredItem, shownOf } from './scored-item.ts'

export interface RerankParts {
  readonly rag: Pick<ResolvedRag, 'rerankTop'>
  readonly reranker?: Reranker
}

export interface ToRerank {
  readonly question: string
  /** Best first. */
  readonly found: readonly ScoredItem[]
  readonly notices: string[]
  readonly signal?: AbortSignal
}

/** Reorders the best items with a re-ranking model. If the model fails, the order stays. */
export async function rerankBest(
  { rag, reranker }: RerankParts,
  { question, found, notices, signal }: ToRerank,
): Promise<readonly ScoredItem[]> {
  const best = found.slice(0, rag.rerankTop)
  if (reranker === undefined || best.length < 2) return found
  try {
    const scores = await reranker.rerank(
      question,
      best.map((one) => shownOf(one).text),
      signal === undefined ? {} : { signal },
    )
    const order = best.map((one, i) => ({ one, score: scores[i] as number }))
    const ranked = order
      .sort((left, right) => right.score - left.score)
      .map(({ one }, rank) => toReranked(one, reranker, rank))
    return [...ranked, ...found.slice(rag.rerankTop)]
  } catch (error) {
    if (!(isMemoryError(error) && error.code === 'model-failed')) throw error
    notices.push(`not re-ranked: ${error.message}`)
    return found
  }
}

const toReranked = (found: ScoredItem, { name }: Reranker, rank: number): ScoredItem => ({
  ...found,
  why: [...found.why, { signal: 'reranked', score: 0, text: `ranked ${rank + 1} by ${name}` }],
})
