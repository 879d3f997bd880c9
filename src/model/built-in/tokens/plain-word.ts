// Nearly all pieces of nearly all texts are plain words or the sign after one, and those are the same for every
// vocabulary. A plain word is a blank, perhaps a capital, and small ASCII letters: none cuts it before its end,
// and all cut behind it where the next character is ASCII and neither a letter nor an apostrophe.

import { END, kindAt, SIGN } from './character-kinds.ts'

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

/** Where the plain word ends that begins at `start`; `start` if there is none. */
export function endOfPlainWord(text: Uint8Array, start: number): number {
  let at = start
  let byte = text[at] as number
  if (byte === BLANK) byte = text[++at] as number
  if (byte >= CAPITAL_A && byte <= CAPITAL_Z) byte = text[++at] as number
  const firstSmall = at
  while (byte >= SMALL_A && byte <= SMALL_Z) byte = text[++at] as number
  return at > firstSmall && endsWord[byte] === 1 ? at : start
}

/** Whether an ASCII sign stands here with a blank after it, or nothing: a piece of its own. */
export function isLoneSign(text: Uint8Array, at: number): boolean {
  const next = text[at + 1]
  return (next === BLANK || next === END) && (text[at] as number) < 0x80 && (kindAt(text, at) & SIGN) !== 0
}
