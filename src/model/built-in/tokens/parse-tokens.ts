// Reads a vocabulary file: a line for each token, in order of rank, with its bytes in base64, a blank, and the
// rank. Read byte by byte, into the entries of a token table: making a string of every line takes several
// times as long.

import { HEAD_BYTES } from './token-table.ts'

const BLANK = 32
const LINE_END = 10
const PADDING = 61

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** By byte: what a digit of base64 stands for. */
const values = new Uint8Array(256)
for (let i = 0; i < DIGITS.length; i++) values[DIGITS.charCodeAt(i)] = i

/** The entries of all tokens in a file. */
export function parseTokens(file: Uint8Array): Uint8Array {
  // The four bytes of a head take less room than a rank, a blank and a line end, but for the first ten.
  const entries = new Uint8Array(file.length + 10 * HEAD_BYTES)
  const reader = new Base64Reader(file)
  let end = 0
  for (let rank = 0; reader.at < file.length; rank++) {
    const start = end
    end = reader.readInto(entries, start + HEAD_BYTES)
    entries[start] = end - start - HEAD_BYTES
    entries[start + 1] = rank >> 16
    entries[start + 2] = rank >> 8
    entries[start + 3] = rank
    reader.skipLine()
  }
  return entries.subarray(0, end)
}

class Base64Reader {
  at = 0
  readonly #file: Uint8Array

  constructor(file: Uint8Array) {
    this.#file = file
  }

  /** Writes the bytes that stand here in base64, up to a blank, and returns where they end. */
  readInto(bytes: Uint8Array, start: number): number {
    const file = this.#file
    let at = this.at
    let end = start
    for (; file[at] !== BLANK; at += 4) {
      const first = values[file[at] as number] as number
      const second = values[file[at + 1] as number] as number
      const third = values[file[at + 2] as number] as number
      const fourth = values[file[at + 3] as number] as number
      bytes[end++] = (first << 2) | (second >> 4)
      if (file[at + 2] !== PADDING) bytes[end++] = (second << 4) | (third >> 2)
      if (file[at + 3] !== PADDING) bytes[end++] = (third << 6) | fourth
    }
    this.at = at
    return end
  }

  skipLine(): void {
    const file = this.#file
    let at = this.at
    while (at < file.length && file[at] !== LINE_END) at += 1
    this.at = at + 1
  }
}
