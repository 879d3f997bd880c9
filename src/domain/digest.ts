/**
 * Tells whether two sequences of texts are the same: 64 bits in two lanes, since JavaScript has no fast
 * 64-bit product. Good against chance, not against an attacker.
 */
export class Digest {
  #left = 0x811c9dc5
  #right = 0x9747b28c

  add(text: string): this {
    for (let i = 0; i < text.length; i++) this.#mix(text.charCodeAt(i))
    this.#mix(0x10000)
    return this
  }

  #mix(unit: number): void {
    this.#left = Math.imul(this.#left ^ unit, 0x01000193)
    this.#right = Math.imul(this.#right ^ unit, 0x85ebca6b) ^ (this.#right >>> 15)
  }

  toString(): string {
    return toHex(this.#left) + toHex(this.#right)
  }
}

// Byte by byte, since numbers above 31 bits are slow to write.
const BYTES: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const hexOf = (byte: number): string => BYTES[byte & 0xff] as string
const toHex = (lane: number): string =>
  hexOf(lane >>> 24) + hexOf(lane >>> 16) + hexOf(lane >>> 8) + hexOf(lane)
