// Byte-pair encoding of a long piece: the same tokens as merge-short.ts finds, in time that hardly grows
// faster than the piece, where looking for the lowest rank among all pairs after every merge would take time
// in the square of its length: a million spaces did not end.
//
// No token is made by way of a token of higher rank (merging.test.ts). So a merge never brings about a pair of
// lower rank than its own: the bytes of that pair had been side by side before, with nothing merged across
// their ends, and would long be one. Ranks are therefore gone through once, from low to high, and all pairs
// of a rank are merged in one go, the leftmost first, before the pairs are looked at that this makes.

import type { Piece } from './piece.ts'
import { RankQueue, TAKEN } from './rank-queue.ts'
import { NO_RANK, type TokenTable } from './token-table.ts'

/** How many tokens the bytes of a piece are merged into. */
export function mergeLong(table: TokenTable, text: Uint8Array, { start, end }: Piece): number {
  return new LongMerge(table, text.subarray(start, end)).run()
}

/** Parts are known by the place at which they begin; what waits there is their pair with the next part. */
class LongMerge {
  readonly #table: TokenTable
  readonly #bytes: Uint8Array
  readonly #ends: Int32Array
  /** Where the part before begins; -1 for the first. */
  readonly #befores: Int32Array
  readonly #queue: RankQueue
  #parts: number

  constructor(table: TokenTable, bytes: Uint8Array) {
    this.#table = table
    this.#bytes = bytes
    this.#ends = new Int32Array(bytes.length)
    this.#befores = new Int32Array(bytes.length)
    this.#queue = new RankQueue(bytes.length)
    this.#parts = bytes.length
  }

  run(): number {
    // From the right, here and below, since the queue puts what comes last to the head of a list.
    for (let at = this.#bytes.length - 1; at >= 0; at--) {
      this.#ends[at] = at + 1
      this.#befores[at] = at - 1
      this.#lookAt(at)
    }
    for (let places = this.#queue.takeLowest(); places.length > 0; places = this.#queue.takeLowest()) {
      for (let i = 0; i < places.length; i++) this.#merge(places[i] as number)
      for (let i = places.length - 1; i >= 0; i--) this.#lookAround(places[i] as number)
    }
    return this.#parts
  }

  #merge(at: number): void {
    const { ranks } = this.#queue
    // Else its first part was merged with the part before it, a moment ago.
    if (ranks[at] !== TAKEN) return
    const middle = this.#ends[at] as number
    const end = this.#ends[middle] as number
    this.#queue.move(middle, NO_RANK)
    this.#ends[at] = end
    if (end < this.#bytes.length) this.#befores[end] = at
    this.#parts -= 1
  }

  #lookAround(at: number): void {
    const { ranks } = this.#queue
    if (ranks[at] !== TAKEN) return
    this.#lookAt(at)
    const before = this.#befores[at] as number
    // A part that was merged as well is looked at for its own sake.
    if (before >= 0 && ranks[before] !== TAKEN) this.#lookAt(before)
  }

  #lookAt(at: number): void {
    const middle = this.#ends[at] as number
    const isLast = middle === this.#bytes.length
    const rank = isLast ? NO_RANK : this.#table.rankOf(this.#bytes, at, this.#ends[middle] as number)
    this.#queue.move(at, rank)
  }
}
