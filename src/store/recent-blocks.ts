import type { UnpackedBlock } from './pack-messages.ts'

/** All of ten conversations of ten thousand messages a sentence or two long; recall reads here and there in them. */
const MOST_BYTES = 24 * 1024 * 1024
const MOST_BYTES_EACH = 256 * 1024

/** The blocks that were unpacked last. A block never changes under its number, whoever else writes to the file. */
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
    // Those that were not asked for longest make room.
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
