// Nearly all pieces of nearly all texts are plain words: a blank, perhaps a capital, small ASCII letters. They
// are found and hashed in one go, by rules that hold for every vocabulary: neither cuts such a word before its
// end, and both cut behind it where the next character is ASCII and neither letter nor apostrophe.

import { END } from './character-kinds.ts'
import { addToHash, EMPTY_HASH, finishHash, type Piece } from './piece.ts'

const BLANK = 32
const APOSTROPHE = 39

const isSmall = (byte: number): boolean => byte >= 97 && byte <= 122
const isCapital = (byte: number): boolean => byte >= 65 && byte <= 90

/** By byte: whether a word certainly ends before it. */
const endsWord: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  const goesOn = byte >= 0x80 || byte === APOSTROPHE || isSmall(byte) || isCapital(byte)
  return byte === END || !goesOn ? 1 : 0
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
  if (isCapital(byte)) {
    hash = addToHash(hash, byte)
    byte = text[++at] as number
  }
  const firstSmall = at
  while (isSmall(byte)) {
    hash = addToHash(hash, byte)
    byte = text[++at] as number
  }
  piece.end = at
  piece.hash = finishHash(hash)
  return at > firstSmall && endsWord[byte] === 1
}
