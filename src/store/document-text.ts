// How the text of a document is stored: compressed, since it is read only to be chunked again or returned whole.
// Searches read the chunks instead.

import { promisify } from 'node:util'
import { brotliCompress, brotliDecompressSync, constants } from 'node:zlib'
import { BLOCK_KINDS, type Block, type BlockKind, type DocumentText } from '../domain/document.ts'
import { MemoryError } from '../domain/errors.ts'

/** Higher levels take twice as long and save a twentieth more. */
const QUALITY = 4

export interface PackedText {
  readonly text: Uint8Array
  readonly blocks: Uint8Array
}

const compress = promisify(brotliCompress)
const pack = (words: string): Promise<Buffer> =>
  compress(Buffer.from(words), {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  })

/** Runs off the event loop, since a large text takes a while. */
export async function packText({ text, blocks }: DocumentText): Promise<PackedText> {
  const [words, places] = await Promise.all([pack(text), pack(JSON.stringify(blocks.map(fromBlock)))])
  return { text: words, blocks: places }
}

export function unpackText({ text, blocks }: PackedText): DocumentText {
  try {
    const places: PackedBlock[] = JSON.parse(brotliDecompressSync(blocks).toString('utf8'))
    return { text: brotliDecompressSync(text).toString('utf8'), blocks: places.map(toBlock) }
  } catch (cause) {
    throw new MemoryError('store-damaged', 'the text of a document cannot be read', {
      hint: 'run `recollect doctor`; erase the document and add it again',
      cause,
    })
  }
}

type PackedBlock = readonly [kind: number, start: number, end: number, level?: number, title?: string]

function fromBlock({ kind, start, end, level, title }: Block): PackedBlock {
  const place = [BLOCK_KINDS.indexOf(kind), start, end] as const
  return kind === 'heading' ? [...place, level ?? 1, title ?? ''] : place
}

function toBlock([kind, start, end, level, title]: PackedBlock): Block {
  const heading = level === undefined ? {} : { level, title: title ?? '' }
  return { kind: BLOCK_KINDS[kind] as BlockKind, start, end, ...heading }
}
