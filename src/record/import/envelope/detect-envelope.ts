import { ByteBuffer } from './value-capture.ts'

/** How a file is structured: empty, a Recollect export, JSON lines, or a JSON document. */
type Envelope = 'empty' | 'recollect' | 'lines' | 'document' | 'unknown'

const RECOLLECT_HEADER = /^\{\s*"format"\s*:\s*"recollect"/
/** How much to read after the first line. */
const SECOND_LINE_CHARACTERS = 1000

/** `head` is about the first megabyte. */
export function detectEnvelope(head: Uint8Array): Envelope {
  const text = new TextDecoder().decode(head).trimStart()
  if (text === '') return 'empty'
  if (RECOLLECT_HEADER.test(text)) return 'recollect'
  if (text.startsWith('[')) return 'document'
  if (!text.startsWith('{')) return 'unknown'
  return isInLines(text) ? 'lines' : 'document'
}

/** The first line is a complete object, or a damaged one followed by the start of another. */
function isInLines(text: string): boolean {
  const end = text.indexOf('\n')
  const first = end < 0 ? text : text.slice(0, end)
  if (isObject(first)) return true
  const next = text.slice(end + 1, end + SECOND_LINE_CHARACTERS)
  return end >= 0 && first.trimEnd().endsWith('}') && /^\s*\{/.test(next)
}

/** Whether more bytes cannot change the result: in a pipe they may take long to arrive. */
export function isEnvelopeKnown(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head).trimStart()
  if (!text.startsWith('{')) return text !== ''
  const end = text.indexOf('\n')
  if (RECOLLECT_HEADER.test(text) || (end >= 0 && isObject(text.slice(0, end)))) return true
  return end >= 0 && text.length >= end + SECOND_LINE_CHARACTERS
}

function isObject(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

interface PeekRules {
  /** The maximum number of bytes to read ahead. */
  readonly maxBytes: number
  readonly isEnough?: (head: Uint8Array) => boolean
}

interface Peeked {
  /** The first bytes: as many as needed, or the whole stream. */
  readonly head: Uint8Array
  /** The whole stream, including the first bytes. */
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Reads the start of a stream without consuming it. */
export async function peek(pieces: Pieces, { maxBytes, isEnough }: PeekRules): Promise<Peeked> {
  const source = encodePieces(pieces)
  const read = async (): Promise<Uint8Array | undefined> => {
    const { done, value } = await source.next()
    return done === true ? undefined : value
  }
  const begun = new ByteBuffer()
  let isAtEnd = false
  while (!isAtEnd && begun.length < maxBytes && isEnough?.(begun.view) !== true) {
    const piece = await read()
    if (piece === undefined) isAtEnd = true
    else begun.append(piece)
  }
  const head = begun.view.slice()
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      yield head
      for (let piece = await read(); piece !== undefined; piece = await read()) yield piece
    } finally {
      await source.return(undefined)
    }
  }
  return { head, bytes: all() }
}

export type Pieces = AsyncIterable<string | Uint8Array>

/** Encodes strings as UTF-8. Surrogate pairs that are split between two strings are joined. */
export async function* encodePieces(pieces: Pieces): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let half = ''
  for await (const piece of pieces) {
    if (typeof piece !== 'string') {
      yield piece
      continue
    }
    const text = half + piece
    half = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : ''
    yield encoder.encode(half === '' ? text : text.slice(0, -1))
  }
  if (half !== '') yield encoder.encode(half)
}
