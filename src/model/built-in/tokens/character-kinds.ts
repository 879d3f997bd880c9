// Classifies the character at an offset of a text, by the classes that the split rules of the vocabularies use.
// A character may belong to several classes, so they are bit flags.
//
// Texts are UTF-8 bytes followed by the byte END. UTF-8 never contains that byte, and it belongs to no class:
// a loop over characters of some class stops there without checking for the end of the text.

/** Follows the last byte of every text. */
export const END = 0xff

export const LETTER = 1
/** Allowed in the first part of a word such as `McDonald`: a capital, a letter without case, a mark. */
export const UPPER = 2
/** Allowed in its last part: a lowercase letter, a letter without case, a mark. */
export const LOWER = 4
export const NUMBER = 8
export const SPACE = 16
export const LINE_END = 32
/** Neither letter, number nor space. */
export const SIGN = 64
/** Can be joined to the following word: neither letter, number nor line end. */
export const JOINING = 128

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
export function endOfCharacter(text: Uint8Array, at: number): number {
  const first = text[at] as number
  if (first < 0x80) return at + 1
  if (first < 0xe0) return at + 2
  return first < 0xf0 ? at + 3 : at + 4
}

/** The end of the run of characters of a class that starts at an offset. */
export function endOfRun(text: Uint8Array, start: number, kind: number): number {
  let at = start
  while ((kindAt(text, at) & kind) !== 0) at = endOfCharacter(text, at)
  return at
}
