// Nearly all pieces of nearly all texts are plain words: a blank, perhaps a capital, small ASCII letters. They
// are found and hashed in one go, by rules that hold for every vocabulary: none cuts such a word before its
// end, and all cut behind it where the next character is ASCII and neither a letter nor an apostrophe.

import { END } from './character-kinds.ts'
import { addToHash, EMPTY_HASH, finishHash, type Piece } from './piece.ts'

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

/** Sets the end and the hash of a piece that is a plain word; false if it is none. */
export function cutPlainWord(text: Uint8Array, piece: Piece): boolean {
  let at = piece.start
  let hash = EMPTY_HASH
  let byte = text[at] as number
  if (byte === BLANK) {
    hash = addToHash(hash, byte)
    byte = text[++at] as number
  }
  if (byte >= CAPITAL_A && byte <= CAPITAL_Z) {
    hash = addToHash(hash, byte)
    byte = text[++at] as number
  }
  const firstSmall = at
  while (byte >= SMALL_A && byte <= SMALL_Z) {
    hash = addToHash(hash, byte)
    byte = text[++at] as number
  }
  piece.end = at
  piece.hash = finishHash(hash)
  return at > firstSmall && endsWord[byte] === 1
}
