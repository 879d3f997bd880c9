/** The beginning of a text, at most so long. Half a character is refused by many a server: it is dropped. */
export function cutText(text: string, mostCharacters: number): string {
  const cut =
    text.length > mostCharacters ? text.slice(0, mostCharacters).replace(/[\ud800-\udbff]$/, '') : text
  return cut.toWellFormed()
}
