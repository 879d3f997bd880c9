// Byte-pair encoding of a long piece: the same tokens as merge-short.ts finds, in time that hardly grows
// faster than the piece, where looking for the lowest rank among all pairs after every merge would take time
// in the square of its length: a million spaces did not end.
//
// No token is made by way of a token of higher rank (merging.test.ts). So a merge never brings about a pair of
// lower rank than its own: the bytes of that pair had been side by side before, with nothing merged across
// their ends, and would long be one. Ranks are therefore gone through once, from low to high, and all pairs
// of a rank are merged in one go, the leftmost first, before the pairs are looked at that this makes.

import { RankQueue, TAKEN } from './rank-queue.ts'
import { NO_RANK, type Piece, type TokenTable } from './token-table.ts'

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

// How many tokens a piece takes that is no token itself: byte-pair encoding.
//
// At first every byte is a part of its own. Of all neighbours that together are a token, those of the lowest
// rank are merged, the leftmost first, until no two neighbours are a token. What is left are the tokens.
// Words are short, and looking through all pairs for the lowest rank is the quickest way to find it.

/** The bytes of a piece that can be called short. */
export const MAX_SHORT_BYTES = 128

/** Where the parts begin, and after the last one where it ends. */
const starts = new Int32Array(MAX_SHORT_BYTES + 1)
/** The rank of each part with the next one. */
const ranks = new Int32Array(MAX_SHORT_BYTES + 1)

/** How many tokens the bytes of a piece are merged into. */
export function mergeShort(table: TokenTable, text: Uint8Array, piece: Piece): number {
  let parts = cutIntoBytes(table, text, piece)
  for (;;) {
    const at = findLowest(parts)
    if (at === -1) return parts
    takeOut(at + 1, parts)
    parts -= 1
    ranks[at] = at + 1 < parts ? table.rankOf(text, starts[at] as number, starts[at + 2] as number) : NO_RANK
    if (at > 0) ranks[at - 1] = table.rankOf(text, starts[at - 1] as number, starts[at + 1] as number)
  }
}

function cutIntoBytes(table: TokenTable, text: Uint8Array, { start, end }: Piece): number {
  const parts = end - start
  for (let i = 0; i < parts; i++) {
    starts[i] = start + i
    ranks[i] = table.rankOf(text, start + i, start + i + 2)
  }
  starts[parts] = end
  ranks[parts - 1] = NO_RANK
  return parts
}

/** Which part makes the token of the lowest rank with the next; -1 if none makes any. */
function findLowest(parts: number): number {
  let lowest = NO_RANK
  let at = -1
  for (let i = 0; i < parts; i++) {
    const rank = ranks[i] as number
    if (rank >= lowest) continue
    lowest = rank
    at = i
  }
  return at
}

function takeOut(part: number, parts: number): void {
  for (let i = part; i < parts; i++) {
    starts[i] = starts[i + 1] as number
    ranks[i] = ranks[i + 1] as number
  }
}
