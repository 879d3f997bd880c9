// Text that this memory put into a request stands between these marks, so that it is known again when an
// application records the request: memory must not feed on itself.

const BEGIN = '<recollect-memory'
const END = '</recollect-memory>'

/** What was said, without what a memory had added. A mark without its end takes the rest of the text with it. */
export function withoutInjected(text: string): string {
  const start = text.indexOf(BEGIN)
  if (start === -1) return text
  const end = text.indexOf(END, start)
  const rest = end === -1 ? '' : withoutInjected(text.slice(end + END.length))
  return text.slice(0, start) + rest
}
