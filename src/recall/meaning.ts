// Nearness in meaning, from 0 for two unrelated texts to 1 for the same: every embedder has its own scale.

import type { Place } from '../domain/place.ts'
import { isMemoryError } from '../errors.ts'
import { given } from '../given.ts'
import type { Embedder } from '../model/embedder.ts'
import type { ResolvedRecall } from '../options.ts'
import type { RecallScope, RecallStore } from '../store/recall-store.ts'

/** Messages that are looked at because they are near. */
const NEAREST = 100

export interface VectorParts {
  readonly store: RecallStore
  readonly options: ResolvedRecall
  readonly vectors?: { readonly loadEmbedder: () => Promise<Embedder>; readonly deriver: string }
}

export interface NearestSearch {
  readonly scope: RecallScope
  readonly question: string
  /** What a reader should know about the answer. */
  readonly notices: string[]
  readonly signal?: AbortSignal
}

/** Messages whose kept vectors are near that of the question. An embedder that fails leaves it to the words. */
export async function findNearest(
  { store, vectors, options }: VectorParts,
  { scope, question, notices, signal }: NearestSearch,
): Promise<ReadonlyMap<Place, number>> {
  if (vectors === undefined || options.meaningWeight === 0) return new Map()
  try {
    const embedder = await vectors.loadEmbedder()
    const [vector] = await embedder.embed([question], { use: 'question', ...given({ signal }) })
    if (vector === undefined) return new Map()
    const found = await store.findNearest({
      ...scope,
      deriver: vectors.deriver,
      version: embedder.name,
      vector,
      limit: NEAREST,
      leastSimilarity: unscale(options.leastSimilarity, embedder),
    })
    return new Map(found.map(({ place, similarity }) => [place, rescale(similarity, embedder)]))
  } catch (error) {
    if (!(isMemoryError(error) && error.code === 'model-failed')) throw error
    notices.push(`found by words alone: ${error.message}`)
    return new Map()
  }
}

/** Compares texts with the question on the spot. */
export function compareTexts(
  embedder: Embedder,
  question: string,
): (texts: readonly string[]) => Promise<readonly number[]> {
  return async (texts) => {
    const [asked, ...vectors] = await embedder.embed([question, ...texts])
    return vectors.map((vector) => rescale(cosine(asked as Float32Array, vector), embedder))
  }
}

/** Both are of unit length. */
function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += (one[i] as number) * (other[i] as number)
  return sum
}

const rescale = (similarity: number, { unrelatedSimilarity }: Embedder): number =>
  Math.min(1, Math.max(0, (similarity - unrelatedSimilarity) / (1 - unrelatedSimilarity)))

const unscale = (similarity: number, { unrelatedSimilarity }: Embedder): number =>
  unrelatedSimilarity + similarity * (1 - unrelatedSimilarity)
