const FLOAT_BYTES = 4

/** As they are: 32-bit floats. */
export function toFloatBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}

export function fromFloatBytes(bytes: Uint8Array): Float32Array {
  // The bytes of a row may begin at any address; floats must begin at a multiple of four.
  const vector = new Float32Array(bytes.length / FLOAT_BYTES)
  toFloatBytes(vector).set(bytes)
  return vector
}

const STEPS = 127

/** A quarter of the room: the largest value as a float, then each value as a share of it in one byte. */
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

/** The cosine of a vector and one in small bytes; 0 where either is empty or they are of different lengths. */
export function cosineToSmall(vector: Float32Array, bytes: Uint8Array): number {
  const values = new Int8Array(bytes.buffer, bytes.byteOffset + FLOAT_BYTES, bytes.length - FLOAT_BYTES)
  if (values.length !== vector.length) return 0
  let product = 0
  let square = 0
  let other = 0
  for (let i = 0; i < values.length; i++) {
    const [a, b] = [values[i] as number, vector[i] as number]
    product += a * b
    square += a * a
    other += b * b
  }
  return product === 0 ? 0 : product / Math.sqrt(square * other)
}
