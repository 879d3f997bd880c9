import type { VectorSource } from '../guard/neural-embedder.ts'
import type { AiSdkEmbeddingModel } from './ai-sdk.ts'

/** Any embedding model of the AI SDK. `dimensions` 0: the model's default. */
export function aiSdkVectors(
  name: string,
  load: () => Promise<AiSdkEmbeddingModel>,
  dimensions: number,
): VectorSource {
  return {
    model: name,
    async vectorsOf(texts, signal) {
      const model = await load()
      const { embeddings, response } = await model.doEmbed({
        values: [...texts],
        abortSignal: signal,
        ...(dimensions > 0 && { providerOptions: { openaiCompatible: { dimensions } } }),
      } as never)
      return inOrder(embeddings, response?.body)
    },
  }
}

/** The SDK ignores the order; if the server numbers the vectors, sort by those numbers. */
function inOrder(embeddings: readonly (readonly number[])[], body: unknown): readonly (readonly number[])[] {
  const data = (body as { data?: readonly { index?: unknown }[] } | undefined)?.data
  if (!Array.isArray(data) || data.length !== embeddings.length) return embeddings
  const places = data.map((item) => item?.index)
  const isNumbered = new Set(places).size === places.length && places.every((place) => place in embeddings)
  if (!isNumbered) return embeddings
  const ordered = [...embeddings]
  for (const [i, place] of places.entries()) ordered[place] = embeddings[i] as readonly number[]
  return ordered
}
