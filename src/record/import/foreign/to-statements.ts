/** What one fact may say; see `limits.factCharacters`. */
const MOST_CHARACTERS = 500

/** One statement, or several where it is longer than one may be. */
export function toStatements(text: string): readonly string[] {
  return text.length <= MOST_CHARACTERS ? [text] : splitStatements(text)
}

/** A text about somebody, as statements: its paragraphs and points, long ones cut after sentences. */
export function splitStatements(text: string): readonly string[] {
  const lines = text
    .split(/\n+/)
    .map((line) => line.replace(/^\s*(?:[-*•]|\d+\.)\s+/, '').trim())
    // Headings say nothing by themselves.
    .filter((line) => line !== '' && !/^#+\s/.test(line) && !/^\*\*[^*]+\*\*:?$/.test(line))
  return lines.flatMap((line) => (line.length <= MOST_CHARACTERS ? [line] : cut(line)))
}

function cut(line: string): readonly string[] {
  const pieces: string[] = []
  for (const sentence of line.split(/(?<=[.!?])\s+/)) {
    const last = pieces.at(-1)
    if (last !== undefined && last.length + sentence.length < MOST_CHARACTERS)
      pieces.splice(-1, 1, `${last} ${sentence}`)
    else
      for (let at = 0; at < sentence.length; at += MOST_CHARACTERS)
        pieces.push(sentence.slice(at, at + MOST_CHARACTERS))
  }
  return pieces
}
