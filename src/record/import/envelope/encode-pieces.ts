export type Pieces = AsyncIterable<string | Uint8Array>

/** Texts as UTF-8. A text may be cut inside a character that takes two units: the halves are put together again. */
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
