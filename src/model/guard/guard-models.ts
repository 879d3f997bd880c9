// Wraps models of the application in a guard: they keep their contract, or fail like any other model.

import { Digest } from '../../domain/digest.ts'
import { MemoryError } from '../../domain/errors.ts'
import type {
  CompletionRequest,
  Embedder,
  EmbeddingUse,
  LanguageModel,
  Reranker,
  WebSearch,
} from '../models.ts'
import { CallFailure, cutText } from '../network/call-failure.ts'
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
function checkVectors(
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

// Shared by all neural embedders. Texts are sent in batches; each batch is a separate guarded call. A text is
// cut to the length that models read, gets the prefix that some models expect, and is not sent at all if it
// contains no word. The number of dimensions is only known from a response: opening requests one vector,
// unless the number is configured. The name contains everything that the vectors depend on.

/** One call to the model. */
export interface VectorSource {
  readonly model: string
  vectorsOf(texts: readonly string[], signal: AbortSignal): Promise<readonly ArrayLike<number>[]>
}

interface NeuralSettings {
  /** 0: the model's default. */
  readonly dimensions: number
  readonly batchTexts: number
  readonly textCharacters: number
  readonly passagePrefix: string
  readonly questionPrefix: string
  readonly sameTopicSimilarity: number
  readonly unrelatedSimilarity: number
}

export async function openNeuralEmbedder(
  source: VectorSource,
  settings: NeuralSettings,
  guard: Guard,
): Promise<Embedder> {
  const dimensions = settings.dimensions > 0 ? settings.dimensions : await askDimensions(source, guard)
  const embedBatch = (texts: readonly string[], signal: AbortSignal | undefined) =>
    guard.run(async (trySignal) => {
      const vectors = await source.vectorsOf(texts, trySignal)
      return checkVectors(vectors, { count: texts.length, dimensions })
    }, signal)
  return {
    name: nameOf(source, dimensions, settings),
    dimensions,
    sameTopicSimilarity: settings.sameTopicSimilarity,
    unrelatedSimilarity: settings.unrelatedSimilarity,
    async embed(texts, { use = 'passage', signal } = {}) {
      const vectors: Float32Array[] = texts.map(() => new Float32Array(dimensions))
      const wordy = [...texts.keys()].filter((i) => HAS_WORD.test(texts[i] as string))
      for (let from = 0; from < wordy.length; from += settings.batchTexts) {
        const batch = wordy.slice(from, from + settings.batchTexts)
        const sent = batch.map((i) => prepare(texts[i] as string, use, settings))
        const found = await embedBatch(sent, signal)
        for (const [place, i] of batch.entries()) vectors[i] = found[place] as Float32Array
      }
      return vectors
    },
  }
}

const HAS_WORD = /[\p{L}\p{N}]/u

async function askDimensions(source: VectorSource, guard: Guard): Promise<number> {
  return guard.run(async (signal) => {
    const [vector] = await source.vectorsOf(['How many dimensions are there?'], signal)
    if (vector !== undefined && vector.length > 0) return vector.length
    throw new CallFailure('garbled', 'the model returned no vector')
  })
}

function nameOf({ model }: VectorSource, dimensions: number, { passagePrefix }: NeuralSettings): string {
  const prefix = passagePrefix === '' ? '' : `/${new Digest().add(passagePrefix)}`
  return `${model}/${dimensions}${prefix}`
}

function prepare(text: string, use: EmbeddingUse, settings: NeuralSettings): string {
  const prefix = use === 'question' ? settings.questionPrefix : settings.passagePrefix
  return prefix + cutText(text, settings.textCharacters)
}
