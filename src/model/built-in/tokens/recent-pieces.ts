// What short pieces cost that came lately: a small table in front of the large one. The large table spreads
// 200,000 tokens over megabytes, and looking something up there means waiting for the machine's memory, twice;
// the few thousand pieces that most of a text consists of fit into the processor's cache. Every piece has one
// place, by its hash, and whoever comes last has it.

import type { Piece } from './piece.ts'

const PLACES = 1 << 14
/** A place holds a length, a cost and the bytes. */
const PLACE_BYTES = 16
const HEAD_BYTES = 2

export class RecentPieces {
  readonly #places = new Uint8Array(PLACES * PLACE_BYTES)

  /** What a piece costs if it came lately, else 0. */
  costOf(text: Uint8Array, { start, end, hash }: Piece): number {
    const places = this.#places
    const place = placeOf(hash)
    const length = end - start
    if (places[place] !== length) return 0
    for (let i = 0; i < length; i++) {
      if (places[place + HEAD_BYTES + i] !== text[start + i]) return 0
    }
    return places[place + 1] as number
  }

  keep(text: Uint8Array, { start, end, hash }: Piece, cost: number): void {
    const places = this.#places
    const place = placeOf(hash)
    const length = end - start
    if (length > PLACE_BYTES - HEAD_BYTES) return
    places[place] = length
    places[place + 1] = cost
    for (let i = 0; i < length; i++) places[place + HEAD_BYTES + i] = text[start + i] as number
  }
}

function placeOf(hash: number): number {
  return (hash & (PLACES - 1)) * PLACE_BYTES
}
