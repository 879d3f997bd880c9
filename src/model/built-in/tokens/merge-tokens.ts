// Byte-pair encoding of a long piece: finds the same tokens as `mergeShort`, in nearly linear time. Searching
// all pairs for the lowest rank after every merge would take quadratic time: a million spaces never finished.
//
// No token is merged from a token of higher rank (merge-tokens.test.ts). So a merge never creates a pair of
// lower rank than its own: the bytes of that pair were adjacent before, with nothing merged across their ends,
// and would have been merged already. Ranks are therefore processed once, from low to high, and all pairs of a
// rank are merged together, leftmost first, before the pairs that this creates are examined.

import { MAX_TOKENS, NO_RANK, type Piece, type TokenTable } from './token-table.ts'

/** How many tokens the bytes of a piece are merged into. */
export function mergeLong(table: TokenTable, text: Uint8Array, { start, end }: Piece): number {
  return new LongMerge(table, text.subarray(start, end)).run()
}

/**
 * Parts are identified by their start offset; the queue entry of an offset is the part's pair with the next
 * part.
 */
class LongMerge {
  readonly #table: TokenTable
  readonly #bytes: Uint8Array
  readonly #ends: Int32Array
  /** The start of the previous part; -1 for the first. */
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
    // From the right, here and below, since the queue inserts at the head of a list.
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
    // Otherwise its first part was just merged with the part before it.
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
    // If the previous part was merged as well, it is examined in its own turn.
    if (before >= 0 && ranks[before] !== TAKEN) this.#lookAt(before)
  }

  #lookAt(at: number): void {
    const middle = this.#ends[at] as number
    const isLast = middle === this.#bytes.length
    const rank = isLast ? NO_RANK : this.#table.rankOf(this.#bytes, at, this.#ends[middle] as number)
    this.#queue.move(at, rank)
  }
}

// How many tokens a piece takes that is not a token itself: byte-pair encoding.
//
// Every byte starts as a separate part. Of all neighbours that form a token together, those of the lowest rank
// are merged, leftmost first, until no two neighbours form a token. The remaining parts are the tokens. Words
// are short, so a linear search for the lowest rank is the fastest.

/** The maximum number of bytes of a short piece. */
export const MAX_SHORT_BYTES = 128

/** The start of each part, followed by the end of the last one. */
const starts = new Int32Array(MAX_SHORT_BYTES + 1)
/** The rank of each part merged with the next one. */
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

/** The part that forms the token of the lowest rank with the next part; -1 if there is none. */
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

// Places waiting to be merged, by rank: a linked list of places for every rank, and a heap of the ranks with
// a non-empty list. A place is in one list at most, so the links are stored in arrays indexed by place, and a
// place can be removed from the middle of its list.

/** The rank of a place that was removed to be merged. */
export const TAKEN = -1

const NOWHERE = -1

/** The head of each rank's list. All lists are empty between two pieces, so one table is shared. */
const firsts = new Int32Array(MAX_TOKENS).fill(NOWHERE)

export class RankQueue {
  /** The rank each place waits for; `NO_RANK` if none. */
  readonly ranks: Int32Array
  readonly #nexts: Int32Array
  readonly #previouses: Int32Array
  readonly #taken: Int32Array
  /** A binary heap. May contain ranks whose list is empty, and duplicates. */
  readonly #waiting: number[] = []

  constructor(places: number) {
    this.ranks = new Int32Array(places).fill(NO_RANK)
    this.#nexts = new Int32Array(places)
    this.#previouses = new Int32Array(places)
    this.#taken = new Int32Array(places)
  }

  /** Moves a place to the head of another rank's list. */
  move(place: number, rank: number): void {
    this.#takeOut(place)
    this.ranks[place] = rank
    if (rank === NO_RANK) return
    const next = firsts[rank] as number
    this.#nexts[place] = next
    this.#previouses[place] = NOWHERE
    firsts[rank] = place
    if (next === NOWHERE) pushOn(this.#waiting, rank)
    else this.#previouses[next] = place
  }

  /** Removes all places of the lowest rank and returns them in order; empty if there are none. */
  takeLowest(): Int32Array {
    let count = 0
    while (count === 0 && this.#waiting.length > 0) count = this.#takeAll(popFrom(this.#waiting))
    const places = this.#taken.subarray(0, count)
    return isSorted(places) ? places : places.sort()
  }

  #takeAll(rank: number): number {
    let count = 0
    for (let place = firsts[rank] as number; place !== NOWHERE; place = this.#nexts[place] as number) {
      this.ranks[place] = TAKEN
      this.#taken[count++] = place
    }
    firsts[rank] = NOWHERE
    return count
  }

  #takeOut(place: number): void {
    const rank = this.ranks[place] as number
    if (rank === NO_RANK || rank === TAKEN) return
    const next = this.#nexts[place] as number
    const previous = this.#previouses[place] as number
    if (previous === NOWHERE) firsts[rank] = next
    else this.#nexts[previous] = next
    if (next !== NOWHERE) this.#previouses[next] = previous
  }
}

function isSorted(places: Int32Array): boolean {
  for (let i = 1; i < places.length; i++) {
    if ((places[i] as number) < (places[i - 1] as number)) return false
  }
  return true
}

function pushOn(heap: number[], item: number): void {
  let at = heap.length
  heap.push(item)
  while (at > 0) {
    const parent = (at - 1) >> 1
    const above = heap[parent] as number
    if (above <= item) break
    heap[at] = above
    at = parent
  }
  heap[at] = item
}

function popFrom(heap: number[]): number {
  const last = heap.pop() as number
  if (heap.length === 0) return last
  const lowest = heap[0] as number
  let at = 0
  for (let child = 1; child < heap.length; child = 2 * at + 1) {
    if (child + 1 < heap.length && (heap[child + 1] as number) < (heap[child] as number)) child += 1
    if ((heap[child] as number) >= last) break
    heap[at] = heap[child] as number
    at = child
  }
  heap[at] = last
  return lowest
}
