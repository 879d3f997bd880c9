/** What the records stand in: nothing at all, our own export, a line each, or a JSON document. */
export type Envelope = 'empty' | 'recollect' | 'lines' | 'document' | 'unknown'

const OWN = /^\{\s*"format"\s*:\s*"recollect"/
/** Enough of what follows the first line. */
const MORE_CHARACTERS = 1000

/** Told by the first bytes, a megabyte or so. */
export function chooseEnvelope(head: Uint8Array): Envelope {
  const text = new TextDecoder().decode(head).trimStart()
  if (text === '') return 'empty'
  if (OWN.test(text)) return 'recollect'
  if (text.startsWith('[')) return 'document'
  if (!text.startsWith('{')) return 'unknown'
  return isInLines(text) ? 'lines' : 'document'
}

/** The first line is a whole object, or a broken one before another that begins. */
function isInLines(text: string): boolean {
  const end = text.indexOf('\n')
  const first = end < 0 ? text : text.slice(0, end)
  if (isObject(first)) return true
  const next = text.slice(end + 1, end + MORE_CHARACTERS)
  return end >= 0 && first.trimEnd().endsWith('}') && /^\s*\{/.test(next)
}

/** Whether more bytes would tell nothing else: through a pipe, they may not come for long. */
export function isEnvelopeTold(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head).trimStart()
  if (!text.startsWith('{')) return text !== ''
  const end = text.indexOf('\n')
  if (OWN.test(text) || (end >= 0 && isObject(text.slice(0, end)))) return true
  return end >= 0 && text.length >= end + MORE_CHARACTERS
}

function isObject(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}
