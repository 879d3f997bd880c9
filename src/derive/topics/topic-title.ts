const MOST_CHARACTERS = 80

/** The beginning of a topic's first message, on one line, cut at a word. */
export function makeTopicTitle(text: string): string {
  // Enough for the title whatever the spaces; a pasted book is not read to its end.
  const line = text
    .slice(0, MOST_CHARACTERS * 20)
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (line.length <= MOST_CHARACTERS) return line
  const room = line.slice(0, MOST_CHARACTERS)
  const lastSpace = room.lastIndexOf(' ')
  const cut = lastSpace > 0 ? room.slice(0, lastSpace) : room.slice(0, -1)
  return `${cut.toWellFormed().replace(/[\s,;:.\ufffd-]+$/u, '')}…`
}
