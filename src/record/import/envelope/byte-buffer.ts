const MIN_BYTES = 1 << 16

/** A growing buffer of bytes that are not fully processed yet. */
export class ByteBuffer {
  /** Stream offset of the first byte in the buffer. */
  offset = 0
  #bytes: Uint8Array = new Uint8Array(MIN_BYTES)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** The current content. Invalid after the next change. */
  get view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  append(piece: Uint8Array): void {
    const needed = this.#length + piece.length
    if (needed > this.#bytes.length) this.#resize(Math.max(needed, this.#bytes.length * 2))
    this.#bytes.set(piece, this.#length)
    this.#length = needed
  }

  /** Drops `count` bytes from the start. */
  drop(count: number): void {
    if (count === 0) return
    this.#bytes.copyWithin(0, count, this.#length)
    this.#length -= count
    this.offset += count
    // Shrink again after a single large value.
    if (this.#bytes.length > MIN_BYTES * 16 && this.#length < MIN_BYTES) this.#resize(MIN_BYTES)
  }

  #resize(capacity: number): void {
    const larger = new Uint8Array(capacity)
    larger.set(this.view)
    this.#bytes = larger
  }
}
