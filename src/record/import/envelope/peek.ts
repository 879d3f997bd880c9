import { ByteBuffer } from './byte-buffer.ts'
import { encodePieces, type Pieces } from './encode-pieces.ts'

export interface PeekRules {
  /** No more than these are looked at. */
  readonly mostBytes: number
  readonly isEnough?: (head: Uint8Array) => boolean
}

export interface Peeked {
  /** The first bytes: as many as were needed, or all there are. */
  readonly head: Uint8Array
  /** Everything, the first bytes included. */
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Looks at the beginning of a stream without taking it away. */
export async function peek(pieces: Pieces, { mostBytes, isEnough }: PeekRules): Promise<Peeked> {
  const source = encodePieces(pieces)
  const read = async (): Promise<Uint8Array | undefined> => {
    const { done, value } = await source.next()
    return done === true ? undefined : value
  }
  const begun = new ByteBuffer()
  let isAtEnd = false
  while (!isAtEnd && begun.length < mostBytes && isEnough?.(begun.view) !== true) {
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
