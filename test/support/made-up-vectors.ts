import type { SeededRandom } from './seeded-random.ts'

interface VectorSizes {
  readonly count: number
  readonly dimensions: number
  readonly questions: number
}

/** Vectors like those of conversations: runs of 50 about one theme, with a few hundred themes in total. */
export function makeVectors(
  random: SeededRandom,
  { count, dimensions, questions }: VectorSizes,
): { readonly vectors: readonly Float32Array[]; readonly questions: readonly Float32Array[] } {
  const themes = Array.from({ length: 300 }, () => toUnit(noise(random, dimensions)))
  let topic = themes[0] as Float32Array
  const vectors = Array.from({ length: count }, (_, i) => {
    if (i % 50 === 0) topic = near(random, random.pick(themes), 0.8)
    return near(random, topic, 0.7)
  })
  return {
    vectors,
    questions: Array.from({ length: questions }, () => near(random, random.pick(vectors), 0.7)),
  }
}

function noise(random: SeededRandom, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions)
  for (let i = 0; i < dimensions; i++) vector[i] = random.next() + random.next() + random.next() - 1.5
  return vector
}

/** A vector with about this cosine similarity to another. */
function near(random: SeededRandom, other: Float32Array, cosine: number): Float32Array {
  const vector = toUnit(noise(random, other.length))
  const share = Math.sqrt(1 - cosine ** 2)
  for (let i = 0; i < vector.length; i++)
    vector[i] = (other[i] as number) * cosine + (vector[i] as number) * share
  return toUnit(vector)
}

function toUnit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(product(vector, vector))
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] as number) / length
  return vector
}

/** Cosine similarity of unit vectors. */
export function product(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += (one[i] as number) * (other[i] as number)
  return sum
}

/** Indexes of the ten nearest, best first, by exhaustive search. */
export function findPlainly(vectors: readonly Float32Array[], question: Float32Array): readonly number[] {
  const all = vectors.map((vector, i) => [product(question, vector), i] as const)
  const best = all.sort(([a], [b]) => b - a).slice(0, 10)
  return best.map(([, i]) => i)
}
