// Wraps models of the application in a guard: they keep their contract, or fail like any other model.

import { MemoryError } from '../../domain/errors.ts'
import type { CompletionRequest, Embedder, LanguageModel, Reranker, WebSearch } from '../models.ts'
import { CallFailure } from '../network/call-failure.ts'
import type { Guard } from './guard.ts'

export function guardLanguageModel(model: LanguageModel, guard: Guard, maxCharacters: number): LanguageModel {
  const { name } = model
  return {
    name,
    complete: async (request) => {
      checkSize(request, maxCharacters, name)
      const ask = async (signal: AbortSignal) => {
        const text = await model.complete({ ...request, signal })
        if (text.trim() === '') throw new CallFailure('garbled', 'empty response')
        return text
      }
      return guard.run(ask, request.signal)
    },
    async *stream(request) {
      checkSize(request, maxCharacters, name)
      const pieces = guard.stream((signal) => model.stream({ ...request, signal }), request.signal)
      // An empty chunk only means that the model is busy.
      for await (const piece of pieces) if (piece !== '') yield piece
    },
  }
}

/** Rejects a request that is too large for any model before it is sent, and paid for. */
function checkSize({ messages }: CompletionRequest, maxCharacters: number, name: string): void {
  const characters = messages.reduce((sum, { content }) => sum + JSON.stringify(content).length, 0)
  if (characters <= maxCharacters) return
  const size = `${characters} characters for ${name}; the maximum is ${maxCharacters}`
  throw new MemoryError('too-large', `a request of ${size}`, {
    hint: 'raise the option models.chat.requestCharacters',
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
        throw new CallFailure(
          'garbled',
          `expected ${texts.length} numeric scores, received ${scores.length} values`,
        )
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

interface Expected {
  readonly count: number
  readonly dimensions: number
}

/** Normalizes the vectors to unit length; rejects anything but the requested number and shape. */
export function checkVectors(
  vectors: readonly ArrayLike<number>[],
  { count, dimensions }: Expected,
): readonly Float32Array[] {
  if (vectors.length !== count)
    throw new CallFailure('garbled', `expected ${count} vectors, received ${vectors.length}`)
  return vectors.map((vector) => {
    if (vector.length !== dimensions)
      throw new CallFailure('garbled', `expected ${dimensions} dimensions, received ${vector.length}`)
    return toUnitLength(Float32Array.from(vector))
  })
}

function toUnitLength(vector: Float32Array): Float32Array {
  let sum = 0
  for (const value of vector) sum += value * value
  if (!Number.isFinite(sum)) throw new CallFailure('garbled', 'a vector contains values that are not numbers')
  if (sum === 0) return vector
  const length = Math.sqrt(sum)
  return vector.map((value) => value / length)
}
