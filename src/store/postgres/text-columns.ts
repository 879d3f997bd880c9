// PostgreSQL keeps any text but NUL characters, and no half of a surrogate pair. What has one, or looks like the
// form that it is kept in, is kept as JSON behind a mark that no text of people begins with.

const MARK = '\u0001'

/** Text as it is handed to PostgreSQL, in a list too. */
export function toParameter(value: unknown): unknown {
  if (typeof value === 'string') return toKept(value)
  return Array.isArray(value) ? value.map((item) => (typeof item === 'string' ? toKept(item) : item)) : value
}

function toKept(text: string): string {
  const isPlain = !text.startsWith(MARK) && !text.includes('\0') && text.isWellFormed()
  return isPlain ? text : MARK + JSON.stringify(text)
}

/** Text as it was handed in. */
export function toColumn(kept: string): string {
  return kept?.startsWith(MARK) ? JSON.parse(kept.slice(1)) : kept
}
