// Rules for cutting a text into pieces that both vocabularies have. A rule says where the piece ends that
// begins at `start`; where it does not apply, that is `start` itself.

import { END, endOfCharacter, endOfRun, kindAt, LINE_END, NUMBER, SIGN, SPACE } from './character-kinds.ts'

/** Where the piece ends that begins at `start`. There is always one. */
export type EndOfPiece = (text: Uint8Array, start: number) => number

const APOSTROPHE = 39
const BLANK = 32
const MOST_DIGITS = 3

/** `'s 't 'm 'd 'll 've 're`, in either case. */
export function endOfContraction(text: Uint8Array, start: number): number {
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
export function endOfNumber(text: Uint8Array, start: number): number {
  let end = start
  for (let i = 0; i < MOST_DIGITS && (kindAt(text, end) & NUMBER) !== 0; i++) end = endOfCharacter(text, end)
  return end
}

/** A run of signs, with a blank before it. */
export function endOfSigns(text: Uint8Array, start: number): number {
  const from = text[start] === BLANK ? start + 1 : start
  const end = endOfRun(text, from, SIGN)
  return end > from ? end : start
}

/** Spaces up to the last line end among them; if there is none, all but the last one before something else. */
export function endOfSpaces(text: Uint8Array, start: number): number {
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
