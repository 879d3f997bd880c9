// Counts the tokens of a text. The text is split into pieces by the rules of the vocabulary; a piece that is a
// token costs one, any other piece costs the number of tokens its bytes are merged into (merge-tokens.ts),
// which is cached. Everything works on the UTF-8 bytes of the text: copying them takes a tenth of a
// microsecond, and reading bytes is several times faster than reading characters of a string. No object and no
// string is allocated per piece.

import type { CountTokens } from '../../../domain/tokens.ts'
import { END, kindAt, SIGN } from './character-kinds.ts'
import { MAX_SHORT_BYTES, mergeLong, mergeShort } from './merge-tokens.ts'
import type { EndOfPiece } from './pre-tokenizer.ts'
import { hashOf, type Piece, type TokenTable } from './token-table.ts'
import { MAX_CACHED_WORD_BYTES, WordCache } from './word-cache.ts'

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
