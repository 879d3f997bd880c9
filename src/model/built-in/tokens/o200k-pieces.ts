// Where o200k cuts a text. Its rules, of which the first that applies is taken:
//
// 1. a word: small letters, with capitals before them or not; else capitals alone. One character before it may
//    be joined to it, and a contraction after it. Letters without case and marks count as small and as
//    capital; a mark can be joined, too.
// 2. one to three digits
// 3. signs, with a blank before them and line ends and slashes after them
// 4. spaces up to the last line end among them
// 5. spaces, but for the last one before something else

import {
  endOfCharacter,
  endOfRun,
  JOINING,
  kindAt,
  LETTER,
  LINE_END,
  LOWER,
  NUMBER,
  UPPER,
} from './character-kinds.ts'
import { endOfContraction, endOfNumber, endOfSigns, endOfSpaces } from './cutting-rules.ts'

const SLASH = 47

export function endOfO200kPiece(text: Uint8Array, start: number): number {
  const kind = kindAt(text, start)
  if ((kind & NUMBER) !== 0) return endOfNumber(text, start)
  const word = endOfWord(text, start, kind)
  if (word > start) return endOfContraction(text, word)
  const signs = endOfSigns(text, start)
  return signs > start ? endOfLineEndsAndSlashes(text, signs) : endOfSpaces(text, start)
}

function endOfWord(text: Uint8Array, start: number, kind: number): number {
  if ((kind & (LETTER | JOINING)) === 0) return start
  const isJoined = (kind & JOINING) !== 0
  const from = isJoined ? endOfCharacter(text, start) : start
  const small = endOfSmallWord(text, from)
  if (small > from) return small
  // A mark, if it cannot be joined to small letters, is rather a word by itself than joined to capitals.
  if (isJoined && (kind & LOWER) !== 0) return from
  const capitals = endOfRun(text, from, UPPER)
  return capitals > from ? capitals : start
}

/** A word that ends in something that may be small: if not in small letters, then in what has no case. */
function endOfSmallWord(text: Uint8Array, start: number): number {
  let end = start
  let afterCaseless = start
  for (let kind = kindAt(text, end); (kind & UPPER) !== 0; kind = kindAt(text, end)) {
    end = endOfCharacter(text, end)
    if ((kind & LOWER) !== 0) afterCaseless = end
  }
  const small = endOfRun(text, end, LOWER)
  return small > end ? small : afterCaseless
}

function endOfLineEndsAndSlashes(text: Uint8Array, start: number): number {
  let end = start
  while (text[end] === SLASH || (kindAt(text, end) & LINE_END) !== 0) end += 1
  return end
}
