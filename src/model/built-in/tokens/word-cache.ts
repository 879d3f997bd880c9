// The costs of recent plain words: a small table in front of the large one. The large table spreads 200,000
// tokens over megabytes, so a lookup there misses the processor's cache twice; the few thousand words that make
// up most of a text fit into it.
//
// A word of at most 16 bytes is read as four 32-bit integers, padded with zeros, which no plain word contains:
// two words are equal if their integers are, and comparing or hashing those is several times faster than going
// byte by byte. Every word has one slot, by its hash, and the last word written wins.

/** This many bytes must be readable from the start of a word, whatever they are. */
export const MAX_CACHED_WORD_BYTES = 16

const NUMBERS = 4
const PLACES = 1 << 15
const NOWHERE = -1

/** By length: which bits of each integer belong to the word. */
const masks = new Int32Array((MAX_CACHED_WORD_BYTES + 1) * NUMBERS)
for (let length = 0; length <= MAX_CACHED_WORD_BYTES; length++) {
  const ones = new DataView(new Uint8Array(MAX_CACHED_WORD_BYTES).fill(0xff, 0, length).buffer)
  for (let i = 0; i < NUMBERS; i++) masks[length * NUMBERS + i] = ones.getInt32(i * 4, true)
}

export class WordCache {
  readonly #words = new Int32Array(PLACES * NUMBERS)
  /** 0 for an empty slot. */
  readonly #costs = new Uint8Array(PLACES)
  /** The last word that was looked up, and its slot. */
  readonly #sought = new Int32Array(NUMBERS)
  #place = NOWHERE

  /** The cost of the word at this range of the text if it is cached; else 0. */
  costOf(text: DataView, start: number, end: number): number {
    const isShort = end - start <= MAX_CACHED_WORD_BYTES
    this.#place = isShort ? this.#seek(text, start, end - start) : NOWHERE
    return isShort && this.#isThere() ? (this.#costs[this.#place] as number) : 0
  }

  /** Caches and returns the cost of the word that was looked up last. */
  keep(cost: number): number {
    if (this.#place === NOWHERE) return cost
    this.#words.set(this.#sought, this.#place * NUMBERS)
    this.#costs[this.#place] = cost
    return cost
  }

  /** Reads a word as integers, and returns its slot. */
  #seek(text: DataView, start: number, length: number): number {
    const mask = length * NUMBERS
    const first = text.getInt32(start, true) & (masks[mask] as number)
    const second = text.getInt32(start + 4, true) & (masks[mask + 1] as number)
    const third = text.getInt32(start + 8, true) & (masks[mask + 2] as number)
    const fourth = text.getInt32(start + 12, true) & (masks[mask + 3] as number)
    const sought = this.#sought
    sought[0] = first
    sought[1] = second
    sought[2] = third
    sought[3] = fourth
    const hash =
      Math.imul(first, 0x9e3779b1) ^
      Math.imul(second, 0x85ebca77) ^
      Math.imul(third, 0xc2b2ae3d) ^
      Math.imul(fourth, 0x27d4eb2f)
    return (hash ^ (hash >>> 15)) & (PLACES - 1)
  }

  #isThere(): boolean {
    const words = this.#words
    const sought = this.#sought
    const at = this.#place * NUMBERS
    return (
      words[at] === sought[0] &&
      words[at + 1] === sought[1] &&
      words[at + 2] === sought[2] &&
      words[at + 3] === sought[3]
    )
  }
}
