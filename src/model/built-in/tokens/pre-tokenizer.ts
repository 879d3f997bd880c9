// Rules for cutting a text into pieces that both vocabularies have. A rule says where the piece ends that
// begins at `start`; where it does not apply, that is `start` itself.

import {
  END,
  endOfCharacter,
  endOfRun,
  JOINING,
  kindAt,
  LETTER,
  LINE_END,
  LOWER,
  NUMBER,
  SIGN,
  SPACE,
  UPPER,
} from './character-kinds.ts'

/** Where the piece ends that begins at `start`. There is always one. */
export type EndOfPiece = (text: Uint8Array, start: number) => number

const APOSTROPHE = 39
const BLANK = 32
const MOST_DIGITS = 3

/** `'s 't 'm 'd 'll 've 're`, in either case. */
function endOfContraction(text: Uint8Array, start: number): number {
  if (text[start] !== APOSTROPHE) return start
  switch (smallLetterAt(text, start + 1)) {
    case 's':
    case 't':
    case 'm':
    case 'd':
      return start + 2
    case 'l':
      return smallLetterAt(text, start + 2) === 'l' ? start + 3 : start
    case 'v':
    case 'r':
      return smallLetterAt(text, start + 2) === 'e' ? start + 3 : start
    default:
      return start
  }
}

function smallLetterAt(text: Uint8Array, at: number): string {
  return String.fromCharCode((text[at] as number) | 32)
}

/** One to three digits. */
function endOfNumber(text: Uint8Array, start: number): number {
  let end = start
  for (let i = 0; i < MOST_DIGITS && (kindAt(text, end) & NUMBER) !== 0; i++) end = endOfCharacter(text, end)
  return end
}

/** A run of signs, with a blank before it. */
function endOfSigns(text: Uint8Array, start: number): number {
  const from = text[start] === BLANK ? start + 1 : start
  const end = endOfRun(text, from, SIGN)
  return end > from ? end : start
}

/** Spaces up to the last line end among them; if there is none, all but the last one before something else. */
function endOfSpaces(text: Uint8Array, start: number): number {
  let end = start
  let last = start
  let afterLineEnd = start
  for (let kind = kindAt(text, end); (kind & SPACE) !== 0; kind = kindAt(text, end)) {
    last = end
    end = endOfCharacter(text, end)
    if ((kind & LINE_END) !== 0) afterLineEnd = end
  }
  if (afterLineEnd > start) return afterLineEnd
  return text[end] === END || last === start ? end : last
}

// Where cl100k cuts a text. Its rules, of which the first that applies is taken:
//
// 1. a contraction
// 2. letters, with one character before them that may be joined
// 3. one to three digits
// 4. signs, with a blank before them and line ends after them
// 5. spaces at the end of the text
// 6. spaces up to the last line end among them
// 7. spaces, but for the last one before something else

export function endOfCl100kPiece(text: Uint8Array, start: number): number {
  const kind = kindAt(text, start)
  if ((kind & NUMBER) !== 0) return endOfNumber(text, start)
  const contraction = endOfContraction(text, start)
  if (contraction > start) return contraction
  const from = (kind & JOINING) === 0 ? start : endOfCharacter(text, start)
  const letters = endOfRun(text, from, LETTER)
  if (letters > from) return letters
  const signs = endOfSigns(text, start)
  if (signs > start) return endOfRun(text, signs, LINE_END)
  const spaces = endOfRun(text, start, SPACE)
  return text[spaces] === END ? spaces : endOfSpaces(text, start)
}

// Where o200k cuts a text. Its rules, of which the first that applies is taken:
//
// 1. a word: small letters, with capitals before them or not; else capitals alone. One character before it may
//    be joined to it, and a contraction after it. Letters without case and marks count as small and as
//    capital; a mark can be joined, too.
// 2. one to three digits
// 3. signs, with a blank before them and line ends and slashes after them
// 4. spaces up to the last line end among them
// 5. spaces, but for the last one before something else

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
