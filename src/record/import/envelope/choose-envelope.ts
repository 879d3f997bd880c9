/** What the records stand in: nothing at all, our own export, a line each, or a JSON document. */
export type Envelope = 'empty' | 'recollect' | 'lines' | 'document' | 'unknown'

/** Told by the first bytes, a megabyte or so. */
export function chooseEnvelope(head: Uint8Array): Envelope {
  const text = new TextDecoder().decode(head).trimStart()
  if (text === '') return 'empty'
  if (/^\{\s*"format"\s*:\s*"recollect"/.test(text)) return 'recollect'
  if (text.startsWith('[')) return 'document'
  if (!text.startsWith('{')) return 'unknown'
  return isInLines(text) ? 'lines' : 'document'
}

/** The first line is a whole object, or a broken one before another that begins. */
function isInLines(text: string): boolean {
  const end = text.indexOf('\n')
  const first = end < 0 ? text : text.slice(0, end)
  if (isObject(first)) return true
  return end >= 0 && first.trimEnd().endsWith('}') && /^\s*\{/.test(text.slice(end + 1, end + 1000))
}

function isObject(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}
