import { toSingleSpaces } from '../single-spaces.ts'

const MOST_CHARACTERS = 80

/** Enough of a text for a title. A long paste is not read to its end. */
function toLine(text: string, characters: number): string {
  const line = toSingleSpaces(text.slice(0, characters)).trim()
  const isEnough = line.length > MOST_CHARACTERS || characters >= Math.min(text.length, MOST_CHARACTERS * 20)
  return isEnough ? line : toLine(text, MOST_CHARACTERS * 20)
}

/** The beginning of a topic's first message, on one line, cut at a word. */
export function makeTopicTitle(text: string): string {
  const line = toLine(text, MOST_CHARACTERS * 2)
  if (line.length <= MOST_CHARACTERS) return line
  const room = line.slice(0, MOST_CHARACTERS)
  const lastSpace = room.lastIndexOf(' ')
  const cut = lastSpace > 0 ? room.slice(0, lastSpace) : room.slice(0, -1)
  return `${cut.toWellFormed().replace(/[\s,;:.\ufffd-]+$/u, '')}…`
}
