// Classifies the character at an offset of a text, by the classes that the split rules of the vocabularies use.
// A character may belong to several classes, so they are bit flags.
//
// Texts are UTF-8 bytes followed by the byte END. UTF-8 never contains that byte, and it belongs to no class:
// a loop over characters of some class stops there without checking for the end of the text.

/** Follows the last byte of every text. */
export const END = 0xff

const LETTER = 1
/** Allowed in the first part of a word such as `McDonald`: a capital, a letter without case, a mark. */
const UPPER = 2
/** Allowed in its last part: a lowercase letter, a letter without case, a mark. */
const LOWER = 4
const NUMBER = 8
const SPACE = 16
const LINE_END = 32
/** Neither letter, number nor space. */
export const SIGN = 64
/** Can be joined to the following word: neither letter, number nor line end. */
const JOINING = 128

/** By code point, filled on demand. The operating system allocates only the pages that are written to. */
const kinds = new Uint8Array(0x110000)
for (let code = 0; code < 0x80; code++) kinds[code] = kindOfAscii(code)

/** Without regular expressions, which take milliseconds to compile: most texts need none. */
function kindOfAscii(code: number): number {
  if (code >= 97 && code <= 122) return LETTER | LOWER
  if (code >= 65 && code <= 90) return LETTER | UPPER
  if (code >= 48 && code <= 57) return NUMBER
  if (code === 10 || code === 13) return SPACE | LINE_END
  return code === 32 || (code >= 9 && code <= 13) ? SPACE | JOINING : SIGN | JOINING
}

function kindOfOther(character: string): number {
  if (/\p{N}/u.test(character)) return NUMBER
  // As the vocabularies define it: `\s` includes the byte order mark and lacks next line (U+0085).
  if (/\p{White_Space}/u.test(character)) return SPACE | JOINING
  const upper = /[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]/u.test(character) ? UPPER : 0
  const lower = /[\p{Ll}\p{Lm}\p{Lo}\p{M}]/u.test(character) ? LOWER : 0
  return upper | lower | (/\p{L}/u.test(character) ? LETTER : SIGN | JOINING)
}

/** The classes of the character that starts at an offset. */
export function kindAt(text: Uint8Array, at: number): number {
  const byte = text[at] as number
  return byte < 0x80 ? (kinds[byte] as number) : kindOfWide(text, at)
}

function kindOfWide(text: Uint8Array, at: number): number {
  if (text[at] === END) return 0
  const code = codePointAt(text, at)
  if (kinds[code] === 0) kinds[code] = kindOfOther(String.fromCodePoint(code))
  return kinds[code] as number
}

function codePointAt(text: Uint8Array, at: number): number {
  const first = text[at] as number
  const second = (text[at + 1] as number) & 0x3f
  if (first < 0xe0) return ((first & 0x1f) << 6) | second
  const third = (text[at + 2] as number) & 0x3f
  if (first < 0xf0) return ((first & 0x0f) << 12) | (second << 6) | third
  return ((first & 0x07) << 18) | (second << 12) | (third << 6) | ((text[at + 3] as number) & 0x3f)
}

/** The end of the character that starts at an offset. */
function endOfCharacter(text: Uint8Array, at: number): number {
  const first = text[at] as number
  if (first < 0x80) return at + 1
  if (first < 0xe0) return at + 2
  return first < 0xf0 ? at + 3 : at + 4
}

/** The end of the run of characters of a class that starts at an offset. */
function endOfRun(text: Uint8Array, start: number, kind: number): number {
  let at = start
  while ((kindAt(text, at) & kind) !== 0) at = endOfCharacter(text, at)
  return at
}

// Rules for splitting a text into pieces, shared by both vocabularies. A rule returns the end of the piece
// that starts at `start`; if it does not apply, it returns `start` itself.

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
