// Places waiting to be merged, by rank: a linked list of places for every rank, and a heap of the ranks with
// a non-empty list. A place is in one list at most, so the links are stored in arrays indexed by place, and a
// place can be removed from the middle of its list.

import { MAX_TOKENS, NO_RANK } from './token-table.ts'

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
