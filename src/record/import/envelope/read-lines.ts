import { ByteBuffer } from './byte-buffer.ts'

export interface Line {
  /** From 1. */
  readonly number: number
  /** Missing where the line is longer than all bounds. */
  readonly text?: string
}

const NEWLINE = 0x0a

/** The lines of a stream that are not blank. */
export async function* readLines(
  bytes: AsyncIterable<Uint8Array>,
  { mostBytes }: { readonly mostBytes: number },
): AsyncGenerator<Line> {
  const reader = new LineReader(mostBytes)
  for await (const piece of bytes) yield* reader.write(piece)
  yield* reader.end()
}

class LineReader {
  readonly #mostBytes: number
  readonly #buffer = new ByteBuffer()
  readonly #decoder = new TextDecoder()
  #number = 0
  #seen = 0
  #isTooLong = false

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  *write(piece: Uint8Array): Generator<Line> {
    this.#buffer.append(piece)
    let start = 0
    for (;;) {
      const end = this.#buffer.view.indexOf(NEWLINE, Math.max(start, this.#seen))
      if (end < 0) break
      yield* this.#take(start, end)
      start = end + 1
      this.#seen = start
    }
    this.#buffer.drop(start)
    if (this.#buffer.length > this.#mostBytes) {
      this.#isTooLong = true
      this.#buffer.drop(this.#buffer.length)
    }
    this.#seen = this.#buffer.length
  }

  *end(): Generator<Line> {
    if (this.#buffer.length > 0 || this.#isTooLong) yield* this.#take(0, this.#buffer.length)
  }

  *#take(start: number, end: number): Generator<Line> {
    this.#number += 1
    const isTooLong = this.#isTooLong || end - start > this.#mostBytes
    this.#isTooLong = false
    if (isTooLong) {
      yield { number: this.#number }
      return
    }
    const text = this.#decoder.decode(this.#buffer.view.subarray(start, end)).trim()
    if (text !== '') yield { number: this.#number, text }
  }
}
