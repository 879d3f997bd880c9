import type { Embedder, EmbedOptions } from '../embedder.ts'
import { wordVector } from './word-vector.ts'

export interface ScriptedEmbedder extends Embedder {
  /** Everything that was embedded, in order. */
  readonly requests: readonly { readonly texts: readonly string[]; readonly options: EmbedOptions }[]
}

interface EmbedderScript {
  /** @default "scripted/<dimensions>" */
  readonly name?: string
  /** @default 64 */
  readonly dimensions?: number
  /** Vectors of certain texts, brought to unit length; all others get one by their words. */
  readonly vectors?: Readonly<Record<string, readonly number[]>>
  /** Thrown instead of an answer. */
  readonly error?: Error
}

/** An embedder without a model: texts that share words lie near each other, and chosen texts where you want them. */
export function scriptedEmbedder(script: EmbedderScript = {}): ScriptedEmbedder {
  const { dimensions = 64, vectors = {}, error } = script
  const requests: { texts: readonly string[]; options: EmbedOptions }[] = []
  return {
    name: script.name ?? `scripted/${dimensions}`,
    dimensions,
    sameTopicSimilarity: 0.5,
    unrelatedSimilarity: 0,
    requests,
    async embed(texts, options = {}) {
      requests.push({ texts, options })
      options.signal?.throwIfAborted()
      if (error !== undefined) throw error
      return texts.map((text) => toUnit(vectors[text] ?? wordVector(text, dimensions), dimensions))
    },
  }
}

function toUnit(values: readonly number[], dimensions: number): Float32Array {
  if (values.length > dimensions) throw new TypeError(`${values.length} numbers for ${dimensions} dimensions`)
  const length = Math.hypot(...values)
  const vector = new Float32Array(dimensions)
  vector.set(values.map((value) => (length === 0 ? 0 : value / length)))
  return vector
}
