import { CallFailure } from '../network/call-failure.ts'

interface Expected {
  readonly count: number
  readonly dimensions: number
}

/** Vectors as they were asked for, brought to unit length; anything else is refused. */
export function checkVectors(
  vectors: readonly ArrayLike<number>[],
  { count, dimensions }: Expected,
): readonly Float32Array[] {
  if (vectors.length !== count)
    throw new CallFailure('garbled', `${vectors.length} vectors for ${count} texts`)
  return vectors.map((vector) => {
    if (vector.length !== dimensions)
      throw new CallFailure('garbled', `a vector of ${vector.length} dimensions instead of ${dimensions}`)
    return toUnitLength(Float32Array.from(vector))
  })
}

function toUnitLength(vector: Float32Array): Float32Array {
  let sum = 0
  for (const value of vector) sum += value * value
  if (!Number.isFinite(sum))
    throw new CallFailure('garbled', 'a vector with something else than numbers in it')
  if (sum === 0) return vector
  const length = Math.sqrt(sum)
  return vector.map((value) => value / length)
}
