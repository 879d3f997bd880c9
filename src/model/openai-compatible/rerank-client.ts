// The `/rerank` endpoint as introduced by Jina and Cohere, and served by vLLM and llama.cpp:
// `{ model, query, documents }` → `{ results: [{ index, relevance_score }] }`, sorted by score.

import { CallFailure, cutText } from '../network/call-failure.ts'
import { fetchJson } from '../network/fetch-json.ts'
import type { Reranker } from '../reranker.ts'
import type { ServerModel } from './connect.ts'

export function connectReranker(server: ServerModel, textCharacters: number): Reranker {
  const { endpoint, model, responseBytes } = server
  return {
    name: model,
    async rerank(question, texts, { signal } = {}) {
      if (texts.length === 0) return []
      const documents = texts.map((text) => cutText(text, textCharacters))
      const body = { model, query: cutText(question, textCharacters), documents }
      const answer = await fetchJson(endpoint, { path: '/rerank', body, signal, maxBytes: responseBytes })
      return readScores(answer, texts.length)
    },
  }
}

function readScores(answer: unknown, count: number): readonly number[] {
  const results = (answer as { results?: unknown } | null)?.results
  const scores = new Map<unknown, number>()
  for (const result of Array.isArray(results) ? results : []) {
    if (Number.isFinite(result?.relevance_score)) scores.set(result.index, result.relevance_score)
  }
  return Array.from({ length: count }, (_, i) => {
    const score = scores.get(i)
    if (score === undefined) throw new CallFailure('garbled', `no score for text ${i + 1} of ${count}`)
    return score
  })
}
