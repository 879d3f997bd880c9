// Marks around text that this memory adds to a request, so that it is recognized when an application records
// the request: memory must not feed on itself. The text between the marks can be from anybody, so nothing in
// it may close the marks, open others, or look to a model as if it did.

const BEGIN = '<recollect-memory'
const END = '</recollect-memory>'

/** Removes text that a memory added. A mark without its end removes the rest of the text. */
export function withoutInjected(text: string): string {
  const start = text.indexOf(BEGIN)
  if (start === -1) return text
  const end = text.indexOf(END, start)
  const rest = end === -1 ? '' : withoutInjected(text.slice(end + END.length))
  return text.slice(0, start) + rest
}

/** Puts lines of memory between the marks. */
export function toInjected(lines: readonly string[]): string {
  return `${BEGIN}>\n${withoutMarks(lines.join('\n'))}\n${END}`
}

// Invisible characters and accents may be inserted between the letters of the name; brackets of other scripts
// look the same to a model.
const UNSEEN = '[\\p{Cf}\\p{M}]*'
const MARK = new RegExp(
  `[<＜﹤‹〈⟨《«](?=[\\s\\p{Cf}\\p{M}/／∕⁄\\\\]*${[...'recollect'].join(UNSEEN)})`,
  'giu',
)

/** Removes the bracket of everything that is, or looks like, the beginning of a mark. */
export function withoutMarks(text: string): string {
  return text.replaceAll(MARK, '(')
}

const LINE_BREAK = /\r\n?|[\v\f\u0085\u2028\u2029]/g
const TOO_MANY_BREAKS = /\n\s*\n\s*/g
const CONTROL = /[^\P{Cc}\n\t]/gu
/** These reverse the direction of the following text, marks included. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * Quotes text from others for use between the marks: whatever it contains, none of its lines begins where one
 * of ours does.
 */
export function quoteInjected(text: string): string {
  return withoutMarks(
    text
      .toWellFormed()
      .replaceAll(LINE_BREAK, '\n')
      .replaceAll(CONTROL, ' ')
      .replaceAll(DIRECTION, '')
      .trim()
      .replaceAll(TOO_MANY_BREAKS, '\n\n')
      .replaceAll('\n', '\n  '),
  )
}
