// Rows of the word index as PostgreSQL returns them: all rows of a word packed into one value, since returning them
// as separate rows would cost more than finding them. They stay packed until the entries are needed: for words that
// occur in nearly every message, looking into the rows of a block is far less work than building a set of all
// entries.

import { blockOf, ENTRIES } from './word-index.ts'

/** SQL that packs rows, in their order: for each, the block, the number of entries, and the entries. */
export const packRows = (rows: string): string =>
  `string_agg(int8send(${rows}.block) || int2send(length(${rows}.entries)::smallint) || ${rows}.entries, '')`

const HEAD_BYTES = 10

/** Called with the byte range of the entries of a row. */
type SeeRow = (block: number, from: number, to: number) => void

function eachRow(packed: Uint8Array, see: SeeRow): void {
  const bytes = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  for (let at = 0; at < packed.length; ) {
    const block = bytes.getUint32(at) * 2 ** 32 + bytes.getUint32(at + 4)
    const from = at + HEAD_BYTES
    at = from + bytes.getUint16(at + 8)
    see(block, from, at)
  }
}

/** The entries of several words, down to a block: highest first, without duplicates. */
export function unpackNumbers(lists: readonly Uint8Array[], leastBlock: number): Float64Array {
  const all = new Float64Array(lists.reduce((sum, packed) => sum + countEntries(packed, leastBlock), 0))
  let count = 0
  for (const packed of lists) {
    eachRow(packed, (block, from, to) => {
      if (block < leastBlock) return
      const first = block * ENTRIES
      for (let i = to - 1; i >= from; i--) all[count++] = first + (packed[i] as number)
    })
  }
  return withoutDoubles(inOrder(all))
}

function countEntries(packed: Uint8Array, leastBlock: number): number {
  let count = 0
  eachRow(packed, (block, from, to) => {
    if (block >= leastBlock) count += to - from
  })
  return count
}

/** The entries of a single word are nearly always sorted already. */
function inOrder(numbers: Float64Array): Float64Array {
  for (let i = 1; i < numbers.length; i++) {
    if ((numbers[i] as number) > (numbers[i - 1] as number)) return numbers.sort().reverse()
  }
  return numbers
}

function withoutDoubles(sorted: Float64Array): Float64Array {
  let kept = 0
  for (let i = 0; i < sorted.length; i++) {
    if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[kept++] = sorted[i] as number
  }
  return sorted.subarray(0, kept)
}

/** Of numbers sorted highest first, keeps those in one of the lists. */
export function keepPacked(numbers: Float64Array, lists: readonly Uint8Array[]): Float64Array {
  const isThere = new Uint8Array(numbers.length)
  for (const packed of lists) mark(isThere, numbers, packed)
  const kept = new Float64Array(numbers.length)
  let count = 0
  for (let i = 0; i < numbers.length; i++) if (isThere[i] === 1) kept[count++] = numbers[i] as number
  return kept.subarray(0, count)
}

/** How many of the numbers, sorted highest first, are at least `least`. */
export function countFrom(numbers: Float64Array, least: number): number {
  let low = 0
  for (let high = numbers.length; low < high; ) {
    const middle = (low + high) >> 1
    if ((numbers[middle] as number) >= least) low = middle + 1
    else high = middle
  }
  return low
}

/** Walks both lists once per word: the rows of a word are sorted highest first. */
function mark(isThere: Uint8Array, numbers: Float64Array, packed: Uint8Array): void {
  let next = 0
  let last = Number.POSITIVE_INFINITY
  eachRow(packed, (block, from, to) => {
    if (block >= last) next = 0
    last = block
    while (next < numbers.length && blockOf(numbers[next] as number) > block) next += 1
    for (; next < numbers.length && blockOf(numbers[next] as number) === block; next++) {
      if (hasByte(packed, (numbers[next] as number) % ENTRIES, { from, to })) isThere[next] = 1
    }
  })
}

function hasByte(bytes: Uint8Array, byte: number, { from, to }: { from: number; to: number }): boolean {
  for (let at = from; at < to; at++) if (bytes[at] === byte) return true
  return false
}
