// Counts the tokens of a text. The text is split into pieces by the rules of the vocabulary; a piece that is a
// token costs one, any other piece costs the number of tokens its bytes are merged into (merge-tokens.ts),
// which is cached. Everything works on the UTF-8 bytes of the text: copying them takes a tenth of a
// microsecond, and reading bytes is several times faster than reading characters of a string. No object and no
// string is allocated per piece.

import type { CountTokens } from '../../../domain/tokens.ts'
import { MAX_SHORT_BYTES, mergeLong, mergeShort } from './merge-tokens.ts'
import { END, type EndOfPiece, kindAt, SIGN } from './pre-tokenizer.ts'
import { hashOf, type Piece, type TokenTable } from './token-table.ts'

/** The maximum number of UTF-8 bytes per UTF-16 code unit. */
const BYTES_PER_UNIT = 3
/** Buffers for longer texts are not reused. */
const LONGEST_KEPT = 16_384

/** A buffer for the bytes of a text with this many code units, followed by END. */
class Room {
  readonly bytes: Uint8Array
  readonly view: DataView

  constructor(units: number) {
    this.bytes = new Uint8Array(units * BYTES_PER_UNIT + 1 + MAX_CACHED_WORD_BYTES)
    this.view = new DataView(this.bytes.buffer)
  }
}

/** Creates a counter for a vocabulary: its tokens and its split rules. */
export function createTokenCounter(table: TokenTable, endOfPiece: EndOfPiece): CountTokens {
  const recent = new WordCache()
  const encoder = new TextEncoder()
  const kept = new Room(LONGEST_KEPT)
  const piece: Piece = { start: 0, end: 0, hash: 0 }

  function countPieces({ bytes, view }: Room, length: number): number {
    let sum = 0
    for (let start = 0, end = 0; start < length; start = end) {
      end = endOfPlainWord(bytes, start)
      if (end > start) {
        sum += recent.costOf(view, start, end) || recent.keep(costOf(bytes, start, end))
      } else if (isLoneSign(bytes, start)) {
        end = start + 1
        sum += 1
      } else {
        end = endOfPiece(bytes, start)
        sum += costOf(bytes, start, end)
      }
    }
    return sum
  }

  function costOf(bytes: Uint8Array, start: number, end: number): number {
    piece.start = start
    piece.end = end
    piece.hash = hashOf(bytes, start, end)
    return table.costOf(bytes, piece) || merge(bytes)
  }

  function merge(bytes: Uint8Array): number {
    const isShort = piece.end - piece.start <= MAX_SHORT_BYTES
    const cost = isShort ? mergeShort(table, bytes, piece) : mergeLong(table, bytes, piece)
    table.remember(bytes, piece, cost)
    return cost
  }

  return (text) => {
    const room = text.length <= LONGEST_KEPT ? kept : new Room(text.length)
    const { written } = encoder.encodeInto(text, room.bytes)
    room.bytes[written] = END
    return countPieces(room, written)
  }
}

// Nearly all pieces of nearly all texts are plain words or the punctuation after one, and those are the same
// for every vocabulary. A plain word is a space, an optional capital, and lowercase ASCII letters: no
// vocabulary splits it, and all split after it if the next character is ASCII and neither a letter nor an
// apostrophe.

const BLANK = 32
const APOSTROPHE = 39
const CAPITAL_A = 65
const CAPITAL_Z = 90
const SMALL_A = 97
const SMALL_Z = 122

/** By byte: 1 if a word certainly ends before it. */
const endsWord: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  const isLetter = (byte >= CAPITAL_A && byte <= CAPITAL_Z) || (byte >= SMALL_A && byte <= SMALL_Z)
  return byte === END || (byte < 0x80 && byte !== APOSTROPHE && !isLetter) ? 1 : 0
})

/** The end of the plain word that starts at `start`; `start` if there is none. */
export function endOfPlainWord(text: Uint8Array, start: number): number {
  let at = start
  let byte = text[at] as number
  if (byte === BLANK) byte = text[++at] as number
  if (byte >= CAPITAL_A && byte <= CAPITAL_Z) byte = text[++at] as number
  const firstSmall = at
  while (byte >= SMALL_A && byte <= SMALL_Z) byte = text[++at] as number
  return at > firstSmall && endsWord[byte] === 1 ? at : start
}

/**
 * Whether there is an ASCII punctuation mark here, followed by a space or the end: always a separate piece.
 */
export function isLoneSign(text: Uint8Array, at: number): boolean {
  const next = text[at + 1]
  return (next === BLANK || next === END) && (text[at] as number) < 0x80 && (kindAt(text, at) & SIGN) !== 0
}

// The costs of recent plain words: a small table in front of the large one. The large table spreads 200,000
// tokens over megabytes, so a lookup there misses the processor's cache twice; the few thousand words that make
// up most of a text fit into it.
//
// A word of at most 16 bytes is read as four 32-bit integers, padded with zeros, which no plain word contains:
// two words are equal if their integers are, and comparing or hashing those is several times faster than going
// byte by byte. Every word has one slot, by its hash, and the last word written wins.

/** This many bytes must be readable from the start of a word, whatever they are. */
export const MAX_CACHED_WORD_BYTES = 16

const NUMBERS = 4
const PLACES = 1 << 15
const NOWHERE = -1

/** By length: which bits of each integer belong to the word. */
const masks = new Int32Array((MAX_CACHED_WORD_BYTES + 1) * NUMBERS)
for (let length = 0; length <= MAX_CACHED_WORD_BYTES; length++) {
  const ones = new DataView(new Uint8Array(MAX_CACHED_WORD_BYTES).fill(0xff, 0, length).buffer)
  for (let i = 0; i < NUMBERS; i++) masks[length * NUMBERS + i] = ones.getInt32(i * 4, true)
}

export class WordCache {
  readonly #words = new Int32Array(PLACES * NUMBERS)
  /** 0 for an empty slot. */
  readonly #costs = new Uint8Array(PLACES)
  /** The last word that was looked up, and its slot. */
  readonly #sought = new Int32Array(NUMBERS)
  #place = NOWHERE

  /** The cost of the word at this range of the text if it is cached; else 0. */
  costOf(text: DataView, start: number, end: number): number {
    const isShort = end - start <= MAX_CACHED_WORD_BYTES
    this.#place = isShort ? this.#seek(text, start, end - start) : NOWHERE
    return isShort && this.#isThere() ? (this.#costs[this.#place] as number) : 0
  }

  /** Caches and returns the cost of the word that was looked up last. */
  keep(cost: number): number {
    if (this.#place === NOWHERE) return cost
    this.#words.set(this.#sought, this.#place * NUMBERS)
    this.#costs[this.#place] = cost
    return cost
  }

  /** Reads a word as integers, and returns its slot. */
  #seek(text: DataView, start: number, length: number): number {
    const mask = length * NUMBERS
    const first = text.getInt32(start, true) & (masks[mask] as number)
    const second = text.getInt32(start + 4, true) & (masks[mask + 1] as number)
    const third = text.getInt32(start + 8, true) & (masks[mask + 2] as number)
    const fourth = text.getInt32(start + 12, true) & (masks[mask + 3] as number)
    const sought = this.#sought
    sought[0] = first
    sought[1] = second
    sought[2] = third
    sought[3] = fourth
    const hash =
      Math.imul(first, 0x9e3779b1) ^
      Math.imul(second, 0x85ebca77) ^
      Math.imul(third, 0xc2b2ae3d) ^
      Math.imul(fourth, 0x27d4eb2f)
    return (hash ^ (hash >>> 15)) & (PLACES - 1)
  }

  #isThere(): boolean {
    const words = this.#words
    const sought = this.#sought
    const at = this.#place * NUMBERS
    return (
      words[at] === sought[0] &&
      words[at + 1] === sought[1] &&
      words[at + 2] === sought[2] &&
      words[at + 3] === sought[3]
    )
  }
}
