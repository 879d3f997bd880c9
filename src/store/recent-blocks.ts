import type { UnpackedBlock } from './pack-messages.ts'

/** Holds ten conversations of ten thousand messages, one or two sentences each; recall reads at random in them. */
const MOST_BYTES = 24 * 1024 * 1024
const MOST_BYTES_EACH = 256 * 1024

/**
 * LRU cache of unpacked blocks. The block with a given number never changes, even when other processes write to the
 * file.
 */
export class RecentBlocks {
  readonly #blocks = new Map<number, UnpackedBlock>()
  #bytes = 0

  get(number: number): UnpackedBlock | undefined {
    const block = this.#blocks.get(number)
    if (block === undefined) return undefined
    this.#blocks.delete(number)
    this.#blocks.set(number, block)
    return block
  }

  add(number: number, block: UnpackedBlock): void {
    if (block.bytes > MOST_BYTES_EACH) return
    this.#remove(number)
    this.#blocks.set(number, block)
    this.#bytes += block.bytes
    // Evict the least recently used.
    for (const oldest of this.#blocks.keys()) {
      if (this.#bytes <= MOST_BYTES) break
      this.#remove(oldest)
    }
  }

  #remove(number: number): void {
    const block = this.#blocks.get(number)
    if (block === undefined) return
    this.#blocks.delete(number)
    this.#bytes -= block.bytes
  }
}
