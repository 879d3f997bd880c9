// Shared by all neural embedders. Texts are sent in batches; each batch is a separate guarded call. A text is
// cut to the length that models read, gets the prefix that some models expect, and is not sent at all if it
// contains no word. The number of dimensions is only known from a response: opening requests one vector,
// unless the number is configured. The name contains everything that the vectors depend on.

import { Digest } from '../../domain/digest.ts'
import type { Embedder, EmbeddingUse } from '../models.ts'
import { CallFailure, cutText } from '../network/call-failure.ts'
import type { Guard } from './guard.ts'
import { checkVectors } from './guard-models.ts'

/** One call to the model. */
export interface VectorSource {
  readonly model: string
  vectorsOf(texts: readonly string[], signal: AbortSignal): Promise<readonly ArrayLike<number>[]>
}

export interface NeuralSettings {
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
