// Sketches: vectors reduced to 256 bits. A fixed pseudo-random rotation makes every value of the result depend on
// the whole vector; each bit is the sign of one value. Two vectors at an angle of α differ in about 256 × α/π bits,
// whatever they represent.
//
// In a file and in memory, a sketch is nine 32-bit words, little-endian: the position of its message, then the
// bits.

const BITS = 256
const WORD_BITS = 32
const BYTE_VALUES = 256
export const SKETCH_WORDS: number = 1 + BITS / WORD_BITS
export const SKETCH_BYTES: number = SKETCH_WORDS * 4

export function toSketch(vector: Float32Array, position: number): Uint8Array {
  const turned = turn(vector)
  const bytes = new Uint8Array(SKETCH_BYTES)
  new DataView(bytes.buffer).setUint32(0, position, true)
  for (let i = 0; i < BITS; i++) {
    if ((turned[i] as number) > 0) bytes[4 + (i >> 3)] = (bytes[4 + (i >> 3)] as number) | (1 << (i & 7))
  }
  return bytes
}

/** One rotation leaves traces of where a sparse vector has its values. */
const TURNS = 2

/**
 * Random signs, a sum over every 256th value, then a Walsh-Hadamard transform: eight rounds of sums and
 * differences.
 */
function turn(vector: Float32Array): Float32Array {
  let values = vector
  for (let turns = 0; turns < TURNS; turns++) {
    values = fold(values, turns)
    for (let half = 1; half < BITS; half *= 2) addAndSubtract(values, half)
  }
  return values
}

function fold(vector: Float32Array, seed: number): Float32Array {
  const values = new Float32Array(BITS)
  const signs = signsOf(seed, vector.length)
  for (let i = 0; i < vector.length; i++)
    values[i % BITS] = (values[i % BITS] as number) + (vector[i] as number) * (signs[i] as number)
  return values
}

function addAndSubtract(values: Float32Array, half: number): void {
  for (let first = 0; first < BITS; first += 2 * half) {
    for (let i = first; i < first + half; i++) {
      const one = values[i] as number
      const other = values[i + half] as number
      values[i] = one + other
      values[i + half] = one - other
    }
  }
}

const signsBySeed: Float32Array[] = []

/** Cached, since it takes longer than everything else. */
function signsOf(seed: number, count: number): Float32Array {
  const known = signsBySeed[seed]
  if (known !== undefined && known.length >= count) return known
  const signs = Float32Array.from({ length: count }, (_, i) => (isNegative(i, seed) ? -1 : 1))
  signsBySeed[seed] = signs
  return signs
}

/** Must never change: stored sketches depend on it. */
function isNegative(index: number, seed: number): boolean {
  let mixed = Math.imul(index + 1 + seed * 0x10001, 0x9e3779b1)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b)
  return ((mixed ^ (mixed >>> 13)) & 1) === 1
}

/** Compares one vector with many sketches. */
export class SketchComparison {
  readonly #bits: Int32Array
  /** The contribution of each byte of a sketch, for each of its possible values. */
  readonly #shares: Float32Array

  constructor(vector: Float32Array) {
    const bytes = toSketch(vector, 0)
    this.#bits = new Int32Array(bytes.buffer, 4)
    this.#shares = toShares(turn(vector))
  }

  /** Hamming distance of each sketch, written to `distances` starting at `from`. A fast estimate of the angle. */
  measure(sketches: Int32Array, distances: Uint16Array, from: number): void {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = this.#bits
    for (let at = 0, i = from; at < sketches.length; at += SKETCH_WORDS, i++) {
      const sums =
        countInBytes((sketches[at + 1] as number) ^ a) +
        countInBytes((sketches[at + 2] as number) ^ b) +
        countInBytes((sketches[at + 3] as number) ^ c) +
        countInBytes((sketches[at + 4] as number) ^ d) +
        countInBytes((sketches[at + 5] as number) ^ e) +
        countInBytes((sketches[at + 6] as number) ^ f) +
        countInBytes((sketches[at + 7] as number) ^ g) +
        countInBytes((sketches[at + 8] as number) ^ h)
      const pairs = (sums & 0x00ff00ff) + ((sums >>> 8) & 0x00ff00ff)
      distances[i] = (pairs & 0xffff) + (pairs >>> 16)
    }
  }

  /** Higher for a nearer sketch, given where its words start. More precise, since it uses the full vector. */
  score(sketches: Int32Array, at: number): number {
    const shares = this.#shares
    let sum = 0
    for (let i = 0; i < BITS / 8; i += 4) {
      const word = sketches[at + 1 + (i >> 2)] as number
      sum +=
        (shares[(i << 8) | (word & 0xff)] as number) +
        (shares[((i + 1) << 8) | ((word >>> 8) & 0xff)] as number) +
        (shares[((i + 2) << 8) | ((word >>> 16) & 0xff)] as number) +
        (shares[((i + 3) << 8) | (word >>> 24)] as number)
    }
    return sum
  }
}

function toShares(turned: Float32Array): Float32Array {
  const shares = new Float32Array((BITS / 8) * BYTE_VALUES)
  for (let i = 0; i < shares.length; i++) {
    const first = (i >> 8) * 8
    let sum = 0
    for (let bit = 0; bit < 8; bit++) {
      const value = turned[first + bit] as number
      sum += (i >> bit) & 1 ? value : -value
    }
    shares[i] = sum
  }
  return shares
}

/** The number of set bits in each of the four bytes. */
function countInBytes(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return (fours + (fours >>> 4)) & 0x0f0f0f0f
}
