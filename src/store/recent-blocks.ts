import type { Words } from './pack-messages.ts'

type Unpacked = ReadonlyMap<number, Words>

/** Neighbours are often asked for one by one, and recall reads here and there. Together they stay below 8 MB. */
const MOST_BLOCKS = 32
const MOST_BYTES_EACH = 256 * 1024

/** The blocks that were unpacked last. A block never changes under its number, whoever else writes to the file. */
export class RecentBlocks {
  readonly #blocks = new Map<number, Unpacked>()

  get(number: number): Unpacked | undefined {
    const words = this.#blocks.get(number)
    if (words === undefined) return undefined
    this.#putLast(number, words)
    return words
  }

  add({ number, bytes }: { readonly number: number; readonly bytes: number }, words: Unpacked): void {
    if (bytes <= MOST_BYTES_EACH) this.#putLast(number, words)
  }

  /** The first makes room. */
  #putLast(number: number, words: Unpacked): void {
    this.#blocks.delete(number)
    this.#blocks.set(number, words)
    const [oldest] = this.#blocks.keys()
    if (this.#blocks.size > MOST_BLOCKS && oldest !== undefined) this.#blocks.delete(oldest)
  }
}
