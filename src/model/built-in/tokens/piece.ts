/** A stretch of a text, with its hash. One object serves for all pieces in turn: making one for each takes longer than counting it. */
export interface Piece {
  start: number
  end: number
  hash: number
}

/** The hash of nothing, which `addToHash` goes on from (FNV-1a). */
export const EMPTY_HASH: number = 0x811c9dc5 | 0

export function addToHash(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193)
}

/** Lets the low bits, which choose the slot in a table, depend on the high ones. */
export function finishHash(hash: number): number {
  return hash ^ (hash >>> 15)
}

export function hashOf(text: Uint8Array, start: number, end: number): number {
  let hash = EMPTY_HASH
  for (let at = start; at < end; at++) hash = addToHash(hash, text[at] as number)
  return finishHash(hash)
}
