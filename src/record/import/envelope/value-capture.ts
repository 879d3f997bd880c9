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

// Finds the end of a JSON value without parsing it: only quotes and brackets matter. JSON.parse reads the value; it is
// several times faster than a parser in JavaScript.

const QUOTE = 0x22
const BACKSLASH = 0x5c
export const OPEN_LIST = 0x5b
export const CLOSE_LIST = 0x5d
export const OPEN_OBJECT = 0x7b
export const CLOSE_OBJECT = 0x7d

/** Below this depth the kinds of brackets are not checked. */
const MAX_CHECKED_DEPTH = 10_000

/** `open`: more bytes are needed. `torn`: a closing bracket does not match. */
type Outcome = 'open' | 'done' | 'torn'

export class ValueCapture {
  /** When done: the position after the value. */
  at: number
  #start: number
  readonly #kind: 'scalar' | 'string' | 'nested'
  readonly #closers: number[] = []
  #depth = 0
  #isInString = false

  constructor(start: number, first: number) {
    this.#start = start
    this.at = start
    if (first === QUOTE) this.#kind = 'string'
    else this.#kind = first === OPEN_LIST || first === OPEN_OBJECT ? 'nested' : 'scalar'
    if (this.#kind === 'string') {
      this.#isInString = true
      this.at += 1
    }
  }

  /** Adjusts positions after bytes were dropped. */
  shift(count: number): void {
    this.at -= count
    this.#start -= count
  }

  /** Only a number or a literal may end with the stream. */
  get canEndHere(): boolean {
    return this.#kind === 'scalar'
  }

  read(view: Uint8Array): Outcome {
    if (this.#kind === 'scalar') return this.#readScalar(view)
    while (this.at < view.length) {
      if (this.#isInString) {
        if (!this.#readString(view)) return 'open'
        if (this.#kind === 'string') return 'done'
      }
      const outcome = this.#readStructure(view)
      if (outcome !== undefined) return outcome
    }
    return 'open'
  }

  #readScalar(view: Uint8Array): Outcome {
    while (this.at < view.length) {
      if (isDelimiter(view[this.at] as number)) return 'done'
      this.at += 1
    }
    return 'open'
  }

  /** True when the string has ended. */
  #readString(view: Uint8Array): boolean {
    for (;;) {
      const quote = findQuote(view, this.at)
      if (quote < 0) {
        this.at = view.length
        return false
      }
      this.at = quote + 1
      if (!this.#isEscaped(view, quote)) {
        this.#isInString = false
        return true
      }
    }
  }

  #isEscaped(view: Uint8Array, quote: number): boolean {
    let before = quote - 1
    while (before > this.#start && view[before] === BACKSLASH) before -= 1
    return (quote - 1 - before) % 2 === 1
  }

  /** Up to the next string or the end of the value. */
  #readStructure(view: Uint8Array): Outcome | undefined {
    while (this.at < view.length) {
      const byte = view[this.at++] as number
      // Both kinds of brackets differ in this bit alone.
      const bracket = byte | 0x20
      if (byte === QUOTE) {
        this.#isInString = true
        return undefined
      }
      if (bracket === OPEN_OBJECT) this.#open(byte)
      else if (bracket === CLOSE_OBJECT && !this.#close(byte)) return 'torn'
      else if (bracket === CLOSE_OBJECT && this.#depth === 0) return 'done'
    }
    return 'open'
  }

  #open(byte: number): void {
    this.#depth += 1
    if (this.#depth <= MAX_CHECKED_DEPTH) this.#closers.push(byte === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_LIST)
  }

  #close(byte: number): boolean {
    const isChecked = this.#depth <= MAX_CHECKED_DEPTH
    this.#depth -= 1
    return !isChecked || this.#closers.pop() === byte
  }
}

/** Most strings are keys: a few steps are faster than a call. */
const SHORT_BYTES = 16

function findQuote(view: Uint8Array, from: number): number {
  const end = Math.min(from + SHORT_BYTES, view.length)
  for (let at = from; at < end; at++) if (view[at] === QUOTE) return at
  return view.indexOf(QUOTE, end)
}

export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function isDelimiter(byte: number): boolean {
  return isSpace(byte) || byte === 0x2c || byte === CLOSE_LIST || byte === CLOSE_OBJECT
}
