/** A seeded random number generator (mulberry32). */
export class SeededRandom {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 to 1, exclusive. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** From 0 to `end`, exclusive. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  letters(count: number): string {
    return Array.from({ length: count }, () => String.fromCharCode(97 + this.below(26))).join('')
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }
}
