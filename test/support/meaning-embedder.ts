import type { Embedder } from '../../src/index.ts'

/** Pairs with the same meaning, no word in common, and not among the built-in synonyms. */
const CONCEPTS: readonly (readonly string[])[] = [
  ['roadster', 'car'],
  ['medic', 'doctor'],
  ['salary', 'wage'],
  ['feline', 'cat'],
  ['beverage', 'lemonade'],
  ['voyage', 'trip'],
]
const OTHER_WORDS = 8

export interface MeaningEmbedder extends Embedder {
  /** All texts that were embedded. */
  readonly texts: readonly string[]
}

/** An embedder that knows some synonyms. */
export function meaningEmbedder(name = 'meaning/1'): MeaningEmbedder {
  const texts: string[] = []
  return {
    name,
    dimensions: CONCEPTS.length + OTHER_WORDS,
    sameTopicSimilarity: 0.7,
    unrelatedSimilarity: 0,
    texts,
    async embed(given) {
      texts.push(...given)
      return given.map(toVector)
    },
  }
}

function toVector(text: string): Float32Array {
  const vector = new Float32Array(CONCEPTS.length + OTHER_WORDS)
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    const concept = CONCEPTS.findIndex((words) => words.includes(word))
    const at = concept >= 0 ? concept : CONCEPTS.length + (word.charCodeAt(0) % OTHER_WORDS)
    vector[at] = (vector[at] ?? 0) + (concept >= 0 ? 3 : 0.1)
  }
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((value) => value / length)
}
