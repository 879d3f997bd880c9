// Nearness in meaning of texts that no vectors are kept of: worked out on the spot. Orders that stand, and what is spoken
// of at the moment, come up with one question after the other: the vectors of the last texts are kept for a while.

import type { Embedder } from '../model/embedder.ts'
import { rescale } from './meaning.ts'

const MOST_TEXTS = 500
const MOST_CHARACTERS = 4000

const recent = new WeakMap<Embedder, Map<string, Float32Array>>()

/** Compares texts with the question: 0 to 1. */
export function compareTexts(
  embedder: Embedder,
  question: string,
): (texts: readonly string[]) => Promise<readonly number[]> {
  return async (texts) => {
    const kept = keptFor(embedder)
    // Taken out now: whoever asks at the same time may need the room.
    const vectors = new Map(texts.map((text) => [text, kept.get(text)]))
    const missing = [...vectors.keys()].filter((text) => vectors.get(text) === undefined)
    const [asked, ...made] = await embedder.embed([question, ...missing])
    for (const [i, text] of missing.entries()) vectors.set(text, made[i])
    return texts.map((text) => {
      const vector = vectors.get(text) as Float32Array
      keep(kept, text, vector)
      return rescale(cosine(asked as Float32Array, vector), embedder)
    })
  }
}

function keptFor(embedder: Embedder): Map<string, Float32Array> {
  const kept = recent.get(embedder) ?? new Map()
  recent.set(embedder, kept)
  return kept
}

/** The one that was not asked for longest makes room. */
function keep(kept: Map<string, Float32Array>, text: string, vector: Float32Array): void {
  if (text.length > MOST_CHARACTERS) return
  kept.delete(text)
  kept.set(text, vector)
  if (kept.size <= MOST_TEXTS) return
  const [oldest = ''] = kept.keys()
  kept.delete(oldest)
}

/** Both are of unit length. */
function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += (one[i] as number) * (other[i] as number)
  return sum
}
