/**
 * A hash to compare sequences of texts: 64 bits in two lanes, since JavaScript has no fast 64-bit
 * multiplication. Collisions are unlikely by chance, but not safe against an attacker.
 */
export class Digest {
  #left = 0x811c9dc5
  #right = 0x9747b28c

  add(text: string): this {
    // In local variables: a loop over fields takes several times as long.
    let [left, right] = [this.#left, this.#right]
    for (let i = 0; i <= text.length; i++) {
      const unit = i < text.length ? text.charCodeAt(i) : 0x10000
      left = Math.imul(left ^ unit, 0x01000193)
      right = Math.imul(right ^ unit, 0x85ebca6b) ^ (right >>> 15)
    }
    this.#left = left
    this.#right = right
    return this
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
