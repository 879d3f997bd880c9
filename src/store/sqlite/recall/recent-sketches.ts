import { SKETCH_WORDS } from '../../sketch.ts'

/** One reading of a conversation that readers see. */
export interface SeenDerivation {
  readonly number: number
  readonly conversation: number
  readonly generation: number
  readonly version: string
  readonly revision: number
  /** How many messages were read. */
  readonly cursor: number
}

interface Kept {
  readonly derivation: SeenDerivation
  readonly sketches: Int32Array
}

/** Of so many messages at once: 36 bytes each, 72 MB. */
export const MOST_SKETCHES = 2_000_000

/**
 * The sketches that were asked for last. What came since is read with the next look; that another vector took the
 * place of an earlier one is noticed only with another generation, and costs no more than a worse choice.
 */
export class RecentSketches {
  readonly #kept = new Map<number, Kept>()
  readonly #most: number
  #count = 0

  constructor(most: number = MOST_SKETCHES) {
    this.#most = most
  }

  /** `readAfter` gives the bytes of the sketches behind a position, in order. */
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

  /** The first makes room. */
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

/** The number of a derivation that was dropped is used again. */
function isContinued(known: SeenDerivation, now: SeenDerivation): boolean {
  const isSame = known.conversation === now.conversation && known.version === now.version
  const isOnward = known.revision <= now.revision && known.cursor <= now.cursor
  return isSame && isOnward && known.generation === now.generation
}

/** What is known, and what came behind it. */
function join(known: Int32Array, bytes: Uint8Array): Int32Array {
  const sketches = new Int32Array(known.length + bytes.length / 4)
  sketches.set(known)
  new Uint8Array(sketches.buffer).set(bytes, known.byteLength)
  return sketches
}
