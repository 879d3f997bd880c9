import { SKETCH_WORDS } from '../../sketch.ts'

/** One active derivation of a conversation. */
export interface SeenDerivation {
  readonly number: number
  readonly conversation: number
  readonly generation: number
  readonly version: string
  readonly revision: number
  /** Number of messages read. */
  readonly cursor: number
}

interface Kept {
  readonly derivation: SeenDerivation
  readonly sketches: Int32Array
}

/** Maximum number of sketches in memory: 36 bytes each, 72 MB. */
export const MOST_SKETCHES = 2_000_000

/**
 * LRU cache of sketches. New sketches are read with the next lookup. A vector that was replaced is noticed only
 * with a new generation; until then, candidates are merely chosen less well.
 */
export class RecentSketches {
  readonly #kept = new Map<number, Kept>()
  readonly #most: number
  #count = 0

  constructor(most: number = MOST_SKETCHES) {
    this.#most = most
  }

  /** `readAfter` returns the bytes of the sketches after a position, in order. */
  read(derivation: SeenDerivation, readAfter: (position: number) => Uint8Array): Int32Array {
    const { number } = derivation
    const kept = this.#kept.get(number)
    const known = kept !== undefined && isContinued(kept.derivation, derivation) ? kept : undefined
    const before = known?.sketches ?? new Int32Array(0)
    const sketches =
      known?.derivation.revision === derivation.revision
        ? before
        : join(before, readAfter(before.at(-SKETCH_WORDS) ?? -1))
    this.#keep({ derivation, sketches })
    return sketches
  }

  /** Evicts the least recently used. */
  #keep(kept: Kept): void {
    const { number } = kept.derivation
    this.#forget(number)
    this.#kept.set(number, kept)
    this.#count += kept.sketches.length / SKETCH_WORDS
    for (const oldest of this.#kept.keys()) {
      if (this.#count <= this.#most || oldest === number) return
      this.#forget(oldest)
    }
  }

  #forget(number: number): void {
    this.#count -= (this.#kept.get(number)?.sketches.length ?? 0) / SKETCH_WORDS
    this.#kept.delete(number)
  }
}

/** False if the number of a dropped derivation was reused. */
function isContinued(known: SeenDerivation, now: SeenDerivation): boolean {
  const isSame = known.conversation === now.conversation && known.version === now.version
  const isOnward = known.revision <= now.revision && known.cursor <= now.cursor
  return isSame && isOnward && known.generation === now.generation
}

/** Appends new sketches to the cached ones. */
function join(known: Int32Array, bytes: Uint8Array): Int32Array {
  const sketches = new Int32Array(known.length + bytes.length / 4)
  sketches.set(known)
  new Uint8Array(sketches.buffer).set(bytes, known.byteLength)
  return sketches
}
