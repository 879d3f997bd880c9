import { isMemoryError } from '../domain/errors.ts'
import type { Reranker } from '../model/reranker.ts'
import type { ResolvedRag } from '../options/recall-options.ts'
import { type Found, shownOf } from './found.ts'

export interface RerankParts {
  readonly rag: Pick<ResolvedRag, 'rerankTop'>
  readonly reranker?: Reranker
}

export interface ToRerank {
  readonly question: string
  /** Best first. */
  readonly found: readonly Found[]
  readonly notices: string[]
  readonly signal?: AbortSignal
}

/** The best, in the order of a model that reads them together with the question. One that fails changes nothing. */
export async function rerankBest(
  { rag, reranker }: RerankParts,
  { question, found, notices, signal }: ToRerank,
): Promise<readonly Found[]> {
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

const toReranked = (found: Found, { name }: Reranker, rank: number): Found => ({
  ...found,
  why: [...found.why, { signal: 'reranked', score: 0, text: `number ${rank + 1} of ${name}` }],
})
