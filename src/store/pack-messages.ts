// How the content of older messages is compressed: into blocks, each with the content and metadata of several
// messages of one conversation. Any store can use it; it handles only text and bytes.
//
// Unpacked, a block has one line per message: the content as JSON and, if there is metadata, a tab and the metadata
// as JSON. JSON itself contains neither line breaks nor tabs. Packed, it is
//
//   one byte   compression of the lines: 1 for brotli, 2 for deflate
//   one byte   minimum length of a checked stretch of lines, as a power of two
//   one byte   number of stretches
//   4 bytes    for each stretch, its CRC-32
//   the rest   the lines, compressed
//
// The positions of the lines are stored outside the body ("3-9,12"), so that they are known without unpacking, even
// if the body is damaged. Every checksum covers these positions and the number of its first line: a stretch that
// passes is exact and belongs to these messages. A damaged block is read as far as possible, and the stretches that
// pass their checks are recovered.
//
// A block is never larger than `gzip -9` of its lines: see `compressBytes` and `addChecks`.

import { crc32 } from 'node:zlib'
import { compressBytes, decompressBytes } from './compress-bytes.ts'
import { readPositions, writePositions } from './positions.ts'

/** The part of a message that is stored in a block, as JSON texts. */
export interface Words {
  readonly content: string
  readonly metadata: string | null
}

export interface PlacedWords extends Words {
  readonly position: number
}

export interface Block {
  readonly positions: string
  /** Size of the lines. */
  readonly bytes: number
  readonly body: Uint8Array
}

const HEAD_BYTES = 3
const CHECK_BYTES = 4
/** 2^9 = 512 bytes: a few messages of one sentence each, or a single longer one. */
const SHORTEST_STRETCH = 9
const MOST_STRETCHES = 255
const LINE_END = 0x0a

/** False for JSON from other writers that contains line breaks or tabs. */
export function canPack({ content, metadata }: Words): boolean {
  return !/[\n\t]/.test(content) && !/[\n\t]/.test(metadata ?? '')
}

/** Packs messages, given in order of position, and verifies that they can be unpacked. */
export function packMessages(messages: readonly PlacedWords[]): Block {
  const positions = writePositions(messages.map(({ position }) => position))
  const lines = Buffer.from(messages.map(toLine).join(''))
  const block = { positions, bytes: lines.length, body: addChecks(lines, positions) }
  const unpacked = unpackMessages(block)
  const isExact = messages.every(({ position, content, metadata }) => {
    const found = unpacked.get(position)
    return found?.content === content && found.metadata === metadata
  })
  if (isExact) return block
  throw new TypeError(`a block of ${messages.length} messages does not unpack to what went into it`)
}

/** By position, in order; unreadable messages are missing. */
export function unpackMessages(block: Block): ReadonlyMap<number, Words> {
  const { positions, wordsAt } = unpackBlock(block)
  return new Map(
    positions.flatMap((position) => {
      const words = wordsAt(position)
      return words === undefined ? [] : [[position, words] as const]
    }),
  )
}

/** A block whose lines are unpacked. Messages are parsed, and their stretches checked, on demand. */
export interface UnpackedBlock {
  readonly positions: readonly number[]
  /** Size in memory. */
  readonly bytes: number
  /** Undefined if the block does not contain the message or cannot be read there. */
  wordsAt(position: number): Words | undefined
}

export function unpackBlock({ positions, bytes, body }: Block): UnpackedBlock {
  if (body.length < HEAD_BYTES) return { positions: [], bytes: 0, wordsAt: () => undefined }
  const packed = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const [format = 0, doubled = 0, count = 0] = packed
  // Copied, so that caching the block does not keep the packed bytes in memory.
  const checks = Buffer.from(packed.subarray(HEAD_BYTES, HEAD_BYTES + count * CHECK_BYTES))
  const lines = decompressBytes({ format, stream: packed.subarray(HEAD_BYTES + checks.length) }, bytes)
  const places = readPositions(positions)
  const { ends, stretches } = findLines(lines, 2 ** doubled)
  const verdicts: boolean[] = []
  const isExact = (stretch: number): boolean => {
    const at = stretch * CHECK_BYTES
    if (at + CHECK_BYTES > checks.length) return false
    return checks.readUInt32LE(at) === makeCheck(lines, stretches[stretch] as Stretch, positions)
  }
  return {
    positions: places,
    bytes: lines.length,
    wordsAt(position) {
      const line = places.indexOf(position)
      if (line < 0 || line >= ends.length) return undefined
      const stretch = stretches.findLastIndex(({ firstLine }) => firstLine <= line)
      verdicts[stretch] ??= isExact(stretch)
      if (!verdicts[stretch]) return undefined
      return fromLine(lines.toString('utf8', ends[line - 1] ?? 0, (ends[line] as number) - 1))
    },
  }
}

function toLine({ content, metadata }: Words): string {
  return metadata === null ? `${content}\n` : `${content}\t${metadata}\n`
}

function fromLine(line: string): Words {
  const tab = line.indexOf('\t')
  return tab < 0
    ? { content: line, metadata: null }
    : { content: line.slice(0, tab), metadata: line.slice(tab + 1) }
}

/** Shorter stretches lose less to damage, so they are as short as the size of the gzip output allows. */
function addChecks(lines: Buffer, positions: string): Buffer {
  const { format, stream, gzipBytes } = compressBytes(lines)
  const room = Math.min((gzipBytes - stream.length - HEAD_BYTES) / CHECK_BYTES, MOST_STRETCHES)
  let doubled = SHORTEST_STRETCH
  let { stretches } = findLines(lines, 2 ** doubled)
  while (stretches.length > room) {
    doubled += 1
    stretches = findLines(lines, 2 ** doubled).stretches
  }
  const head = Buffer.alloc(HEAD_BYTES + stretches.length * CHECK_BYTES)
  head.set([format, doubled, stretches.length])
  for (const [i, stretch] of stretches.entries()) {
    head.writeUInt32LE(makeCheck(lines, stretch, positions), HEAD_BYTES + i * CHECK_BYTES)
  }
  return Buffer.concat([head, stream])
}

/** Consecutive lines that share a checksum. */
interface Stretch {
  readonly firstLine: number
  readonly start: number
  readonly end: number
}

interface Lines {
  /** End offset of each line, including its line break. */
  readonly ends: readonly number[]
  readonly stretches: readonly Stretch[]
}

/** Ignores an unterminated line, which a damaged stream may end with. */
function findLines(lines: Buffer, leastBytes: number): Lines {
  const ends: number[] = []
  const stretches: Stretch[] = []
  let firstLine = 0
  let start = 0
  let end = 0
  for (let at = lines.indexOf(LINE_END); at >= 0; at = lines.indexOf(LINE_END, end)) {
    end = at + 1
    ends.push(end)
    if (end - start < leastBytes) continue
    stretches.push({ firstLine, start, end })
    firstLine = ends.length
    start = end
  }
  if (start < end) stretches.push({ firstLine, start, end })
  return { ends, stretches }
}

function makeCheck(lines: Buffer, { firstLine, start, end }: Stretch, positions: string): number {
  return crc32(lines.subarray(start, end), crc32(`${positions}:${firstLine}`))
}
