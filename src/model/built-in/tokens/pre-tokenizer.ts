// Rules for splitting a text into pieces, shared by both vocabularies. A rule returns the end of the piece
// that starts at `start`; if it does not apply, it returns `start` itself.

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

/** The end of the piece that starts at `start`. There always is one. */
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

/** A run of punctuation, with an optional space before it. */
function endOfSigns(text: Uint8Array, start: number): number {
  const from = text[start] === BLANK ? start + 1 : start
  const end = endOfRun(text, from, SIGN)
  return end > from ? end : start
}

/**
 * Spaces up to the last line end among them; without a line end, all but the last space before other text.
 */
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

// Where cl100k splits a text. The first rule that applies is used:
//
// 1. a contraction
// 2. letters, with one character before them that can be joined
// 3. one to three digits
// 4. punctuation, with an optional space before it and line ends after it
// 5. spaces at the end of the text
// 6. spaces up to the last line end among them
// 7. spaces, except the last one before other text

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

// Where o200k splits a text. The first rule that applies is used:
//
// 1. a word: lowercase letters, optionally after capitals; otherwise capitals alone. One character before it
//    can be joined to it, and a contraction after it. Letters without case and marks count as both lowercase
//    and capital; a mark can be joined, too.
// 2. one to three digits
// 3. punctuation, with an optional space before it and line ends and slashes after it
// 4. spaces up to the last line end among them
// 5. spaces, except the last one before other text

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
  // A mark that cannot be joined to lowercase letters becomes a separate word instead of being joined to
  // capitals.
  if (isJoined && (kind & LOWER) !== 0) return from
  const capitals = endOfRun(text, from, UPPER)
  return capitals > from ? capitals : start
}

/** A word that ends in lowercase letters, or else in letters without case. */
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
