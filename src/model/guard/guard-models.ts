// Models of the application's own, behind a guard: they keep their contract, or fail as any other model does.

import { MemoryError } from '../../domain/errors.ts'
import type { Embedder } from '../embedder.ts'
import type { CompletionRequest, LanguageModel } from '../language-model.ts'
import { CallFailure } from '../network/call-failure.ts'
import type { Reranker } from '../reranker.ts'
import type { WebSearch } from '../web-search.ts'
import { checkVectors } from './check-vectors.ts'
import type { Guard } from './guard.ts'

export function guardLanguageModel(
  model: LanguageModel,
  guard: Guard,
  mostCharacters: number,
): LanguageModel {
  const { name } = model
  return {
    name,
    complete: async (request) => {
      checkSize(request, mostCharacters, name)
      const ask = async (signal: AbortSignal) => {
        const text = await model.complete({ ...request, signal })
        if (text.trim() === '') throw new CallFailure('garbled', 'an empty answer')
        return text
      }
      return guard.run(ask, request.signal)
    },
    async *stream(request) {
      checkSize(request, mostCharacters, name)
      const pieces = guard.stream((signal) => model.stream({ ...request, signal }), request.signal)
      // An empty piece only says that the model is at work.
      for await (const piece of pieces) if (piece !== '') yield piece
    },
  }
}

/** What is too large for any model is refused before it is sent, and paid for. */
function checkSize({ messages }: CompletionRequest, mostCharacters: number, name: string): void {
  const characters = messages.reduce((sum, { content }) => sum + JSON.stringify(content).length, 0)
  if (characters <= mostCharacters) return
  const size = `${characters} characters for ${name}; the limit is ${mostCharacters}`
  throw new MemoryError('too-large', `a request of ${size}`, {
    hint: 'the option models.chat.requestCharacters',
  })
}

export function guardEmbedder(embedder: Embedder, guard: Guard): Embedder {
  const { name, dimensions, sameTopicSimilarity, unrelatedSimilarity } = embedder
  return {
    name,
    dimensions,
    sameTopicSimilarity,
    unrelatedSimilarity,
    embed: (texts, options = {}) =>
      guard.run(async (signal) => {
        const vectors = await embedder.embed(texts, { ...options, signal })
        return checkVectors(vectors, { count: texts.length, dimensions })
      }, options.signal),
  }
}

export function guardReranker(reranker: Reranker, guard: Guard): Reranker {
  return {
    name: reranker.name,
    rerank: (question, texts, { signal: outer } = {}) =>
      guard.run(async (signal) => {
        const scores = await reranker.rerank(question, texts, { signal })
        if (scores.length === texts.length && scores.every(Number.isFinite)) return scores
        throw new CallFailure('garbled', `${scores.length} scores for ${texts.length} texts, or not numbers`)
      }, outer),
  }
}

export function guardWebSearch(webSearch: WebSearch, guard: Guard): WebSearch {
  return {
    name: webSearch.name,
    search: (question, options) =>
      guard.run(async (signal) => {
        const results = await webSearch.search(question, { ...options, signal })
        return results.slice(0, options.limit)
      }, options.signal),
  }
}
