// How many tokens a piece takes that is no token itself: byte-pair encoding.
//
// At first every byte is a part of its own. Of all neighbours that together are a token, those of the lowest
// rank are merged, the leftmost first, until no two neighbours are a token. What is left are the tokens.
// Words are short, and looking through all pairs for the lowest rank is the quickest way to find it.

import type { Piece } from './piece.ts'
import { NO_RANK, type TokenTable } from './token-table.ts'

/** The bytes of a piece that can be called short. */
export const LONGEST_SHORT = 128

/** Where the parts begin, and after the last one where it ends. */
const starts = new Int32Array(LONGEST_SHORT + 1)
/** The rank of each part with the next one. */
const ranks = new Int32Array(LONGEST_SHORT + 1)

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
