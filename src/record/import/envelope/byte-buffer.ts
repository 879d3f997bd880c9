const LEAST_BYTES = 1 << 16

/** Bytes that were read and not yet done with. Grows by doubling, and forgets what nobody needs any more. */
export class ByteBuffer {
  /** Where in the whole stream the first byte that is kept stood. */
  offset = 0
  #bytes: Uint8Array = new Uint8Array(LEAST_BYTES)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** What is there now; not to be kept. */
  get view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  append(piece: Uint8Array): void {
    const needed = this.#length + piece.length
    if (needed > this.#bytes.length) this.#resize(Math.max(needed, this.#bytes.length * 2))
    this.#bytes.set(piece, this.#length)
    this.#length = needed
  }

  /** Forgets the first so many bytes. */
  drop(count: number): void {
    if (count === 0) return
    this.#bytes.copyWithin(0, count, this.#length)
    this.#length -= count
    this.offset += count
    // One large conversation among many must not hold its room for ever.
    if (this.#bytes.length > LEAST_BYTES * 16 && this.#length < LEAST_BYTES) this.#resize(LEAST_BYTES)
  }

  #resize(capacity: number): void {
    const larger = new Uint8Array(capacity)
    larger.set(this.view)
    this.#bytes = larger
  }
}
