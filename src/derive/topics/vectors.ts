/** A direction and its weight. */
export interface Centroid {
  /** Of unit length, or all zero before any spoken text. */
  readonly direction: Float32Array
  readonly weight: number
}

/** The cosine of two vectors of unit length. Four parallel sums, since a single one stalls on every addition. */
export function similarity(one: Float32Array, other: Float32Array): number {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  const fours = one.length - (one.length % 4)
  for (let i = 0; i < fours; i += 4) {
    a += (one[i] as number) * (other[i] as number)
    b += (one[i + 1] as number) * (other[i + 1] as number)
    c += (one[i + 2] as number) * (other[i + 2] as number)
    d += (one[i + 3] as number) * (other[i + 3] as number)
  }
  for (let i = fours; i < one.length; i++) a += (one[i] as number) * (other[i] as number)
  return a + b + c + d
}

/** The sum of two centroids, the first multiplied by `keep`. */
export function addCentroids(one: Centroid, other: Centroid, keep = 1): Centroid {
  const direction = new Float32Array(one.direction.length)
  const [mine, theirs] = [one.weight * keep, other.weight]
  let square = 0
  for (let i = 0; i < direction.length; i++) {
    const value = (one.direction[i] as number) * mine + (other.direction[i] as number) * theirs
    direction[i] = value
    square += value * value
  }
  const weight = Math.sqrt(square)
  if (weight > 0) for (let i = 0; i < direction.length; i++) direction[i] = (direction[i] as number) / weight
  return { direction, weight }
}
