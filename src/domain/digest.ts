/**
 * A hash to compare sequences of texts: 64 bits in two lanes, since JavaScript has no fast 64-bit
 * multiplication. Collisions are unlikely by chance, but not safe against an attacker.
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

// Byte by byte, since formatting numbers above 31 bits is slow.
const BYTES: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const hexOf = (byte: number): string => BYTES[byte & 0xff] as string
const toHex = (lane: number): string =>
  hexOf(lane >>> 24) + hexOf(lane >>> 16) + hexOf(lane >>> 8) + hexOf(lane)
