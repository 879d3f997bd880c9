// PostgreSQL stores any text but NUL characters and lone surrogates. A text with one of these, or one that looks like
// the escaped form, is stored as JSON after a marker that does not begin any normal text.

const MARK = '\u0001'

/** Text as passed to PostgreSQL, also within lists. */
export function toParameter(value: unknown): unknown {
  if (typeof value === 'string') return toKept(value)
  return Array.isArray(value) ? value.map((item) => (typeof item === 'string' ? toKept(item) : item)) : value
}

function toKept(text: string): string {
  const isPlain = !text.startsWith(MARK) && !text.includes('\0') && text.isWellFormed()
  return isPlain ? text : MARK + JSON.stringify(text)
}

/** The original text of a stored value. */
export function toColumn(kept: string): string {
  return kept?.startsWith(MARK) ? JSON.parse(kept.slice(1)) : kept
}
