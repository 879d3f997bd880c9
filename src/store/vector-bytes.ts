const FLOAT_BYTES = 4

/** Stored as 32-bit floats. */
export function toFloatBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}

export function fromFloatBytes(bytes: Uint8Array): Float32Array {
  // The bytes of a row may start at any address; floats need a multiple of four.
  const vector = new Float32Array(bytes.length / FLOAT_BYTES)
  toFloatBytes(vector).set(bytes)
  return vector
}

const STEPS = 127

/** A quarter of the size: the largest value as a float, then each value relative to it in one byte. */
export function toSmallBytes(vector: Float32Array): Uint8Array {
  let largest = 0
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  const bytes = new Uint8Array(FLOAT_BYTES + vector.length)
  new DataView(bytes.buffer).setFloat32(0, largest, true)
  if (largest === 0) return bytes
  for (let i = 0; i < vector.length; i++) {
    bytes[FLOAT_BYTES + i] = Math.round(((vector[i] as number) / largest) * STEPS)
  }
  return bytes
}

export function fromSmallBytes(bytes: Uint8Array): Float32Array {
  const scale = new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0, true) / STEPS
  const vector = new Float32Array(bytes.length - FLOAT_BYTES)
  for (let i = 0; i < vector.length; i++)
    vector[i] = (((bytes[FLOAT_BYTES + i] as number) << 24) >> 24) * scale
  return vector
}

/** Size of a quantized vector in bytes. */
export const smallBytes = (dimensions: number): number => FLOAT_BYTES + dimensions

/**
 * Cosine similarities of a vector and a sequence of quantized vectors of the same length; 0 if either is all zeros.
 */
export function compareSmall(vector: Float32Array, bytes: Uint8Array): Float64Array {
  const size = smallBytes(vector.length)
  const values = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  const cosines = new Float64Array(bytes.length / size)
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  for (let i = 0, from = FLOAT_BYTES; i < cosines.length; i++, from += size) {
    let product = 0
    let square = 0
    for (let j = 0; j < vector.length; j++) {
      const value = values[from + j] as number
      product += value * (vector[j] as number)
      square += value * value
    }
    cosines[i] = product === 0 ? 0 : product / (Math.sqrt(square) * length)
  }
  return cosines
}
