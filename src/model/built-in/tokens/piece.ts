/** A stretch of a text, with its hash. */
export interface Piece {
  start: number
  end: number
  hash: number
}

/** FNV-1a. At last the high bits are mixed into the low ones, which choose the slot in a table. */
export function hashOf(text: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (text[at] as number), 0x01000193)
  return hash ^ (hash >>> 15)
}
