// Where cl100k cuts a text. Its rules, of which the first that applies is taken:
//
// 1. a contraction
// 2. letters, with one character before them that may be joined
// 3. one to three digits
// 4. signs, with a blank before them and line ends after them
// 5. spaces at the end of the text
// 6. spaces up to the last line end among them
// 7. spaces, but for the last one before something else

import {
  END,
  endOfCharacter,
  endOfRun,
  JOINING,
  kindAt,
  LETTER,
  LINE_END,
  NUMBER,
  SPACE,
} from './character-kinds.ts'
import { endOfContraction, endOfNumber, endOfSigns, endOfSpaces } from './cutting-rules.ts'

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
