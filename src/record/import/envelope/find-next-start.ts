// Bytes are read as a text with one character each, so that places in the text are places in the bytes.
const oneByteEach = new TextDecoder('latin1')

/** No beginning of an object is longer. */
export const OVERLAP_BYTES = 1024
const FIRST_WINDOW = 1 << 12
const LARGEST_WINDOW = 1 << 20

/** Where the next object in a list begins. Quotes inside of texts are escaped, and so are not mistaken for one. */
export function findNextStart(view: Uint8Array, from: number): number | undefined {
  let window = FIRST_WINDOW
  for (let at = from; at < view.length; at += window, window = Math.min(window * 4, LARGEST_WINDOW)) {
    const match = /,\s*\{\s*"/.exec(oneByteEach.decode(view.subarray(at, at + window + OVERLAP_BYTES)))
    if (match !== null) return at + match.index + match[0].indexOf('{')
  }
  return undefined
}
