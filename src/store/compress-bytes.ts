// Lossless compression. Brotli is better for most texts, deflate for some (numbers, short texts in languages that
// brotli's dictionary lacks), so both are tried. Gzip is deflate plus 18 bytes, so as long as our header takes at
// most 18 bytes, a block is never larger than gzip's output.

import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  deflateRawSync,
  inflateRawSync,
} from 'node:zlib'

const BROTLI = 1
const DEFLATE = 2
/** Uncompressed; nearly all blocks are smaller. */
const LARGEST_CHUNK = 256 * 1024
/** Header and trailer of a gzip file. */
const GZIP_EXTRA_BYTES = 18

/**
 * Measured: 7 to 9 save at most 2 % more and take up to 7 times as long; 10 saves 4 to 12 % and takes 15 times as
 * long.
 */
const BROTLI_QUALITY = 6

export interface CompressedBytes {
  readonly format: number
  readonly stream: Buffer
}

/** Returns the smaller result of the two methods, and the size that gzip would reach. */
export function compressBytes(bytes: Buffer): CompressedBytes & { readonly gzipBytes: number } {
  const deflated = deflateRawSync(bytes, { level: constants.Z_BEST_COMPRESSION })
  const gzipBytes = deflated.length + GZIP_EXTRA_BYTES
  const brotlied = brotliCompressSync(bytes, { params: brotliParameters(bytes.length) })
  return brotlied.length < deflated.length
    ? { format: BROTLI, stream: brotlied, gzipBytes }
    : { format: DEFLATE, stream: deflated, gzipBytes }
}

function brotliParameters(length: number): Record<number, number> {
  // The window is no larger than the text, since brotli clears all of it first.
  const windowBits = Math.max(Math.ceil(Math.log2(length + 16)), constants.BROTLI_MIN_WINDOW_BITS)
  return {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: length,
    [constants.BROTLI_PARAM_LGWIN]: Math.min(windowBits, constants.BROTLI_MAX_WINDOW_BITS),
  }
}

/** Returns the bytes, or the longest readable prefix of a damaged stream; never more than `most` bytes. */
export function decompressBytes(compressed: CompressedBytes, most: number): Buffer {
  const { stream } = compressed
  const whole = tryDecompress(compressed, { most, isWhole: true })
  if (whole !== undefined) return whole
  // Binary search for the longest prefix of the stream without an error.
  let readable: Buffer = Buffer.alloc(0)
  for (let low = 0, high = stream.length; low < high; ) {
    const middle = (low + high + 1) >> 1
    const begin = { ...compressed, stream: stream.subarray(0, middle) }
    const prefix = tryDecompress(begin, { most, isWhole: false })
    if (prefix === undefined) {
      high = middle - 1
    } else {
      low = middle
      readable = prefix
    }
  }
  return readable
}

/** Returns undefined if the stream is invalid or unpacks to more than allowed. */
function tryDecompress(
  { format, stream }: CompressedBytes,
  { most, isWhole }: { readonly most: number; readonly isWhole: boolean },
): Buffer | undefined {
  const maxOutputLength = Math.max(most, 1)
  // One chunk for the whole output, unless the stated size is implausibly large.
  const chunkSize = Math.min(Math.max(most, constants.Z_MIN_CHUNK), LARGEST_CHUNK)
  try {
    if (format === BROTLI) {
      const finishFlush = isWhole ? constants.BROTLI_OPERATION_FINISH : constants.BROTLI_OPERATION_FLUSH
      return brotliDecompressSync(stream, { maxOutputLength, chunkSize, finishFlush })
    }
    if (format === DEFLATE) {
      const finishFlush = isWhole ? constants.Z_FINISH : constants.Z_SYNC_FLUSH
      return inflateRawSync(stream, { maxOutputLength, chunkSize, finishFlush })
    }
  } catch (error) {
    // zlib errors have a code; anything else is a bug.
    if (!(error instanceof Error && 'code' in error)) throw error
  }
  return undefined
}
