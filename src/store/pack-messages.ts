// How the words of older messages are kept in little room: a block, made of content and metadata of some
// messages of one conversation. Any store can use it; it knows texts and bytes only.
//
// Unpacked, a block is one line a message: the content as JSON and, where there is metadata, a tab and the
// metadata as JSON. JSON has neither line ends nor tabs of its own. Packed, it is
//
//   one byte   how the lines are squeezed: 1 for brotli, 2 for deflate
//   one byte   how long a checked stretch of lines is at least: so many times doubled, from 1 byte
//   one byte   how many stretches there are
//   4 bytes    for each stretch, its CRC-32
//   the rest   the lines, squeezed
//
// Which positions the lines belong to is told apart from the body ("3-9,12"), so that it is known without
// unpacking and though the body is damaged. Every check begins with these positions and the number of its
// first line: what passes it is exact, and belongs where it is put. A damaged block is read as far as it
// can be, and the stretches that pass their checks are saved.
//
// A block is never larger than what `gzip -9` makes of its lines: see `squeeze` and `addChecks`.

import { crc32 } from 'node:zlib'
import { squeeze, unsqueeze } from './compress-bytes.ts'
import { readPositions, writePositions } from './positions.ts'

/** The part of a message that goes into a block, as JSON texts. */
export interface Words {
  readonly content: string
  readonly metadata: string | null
}

export interface PlacedWords extends Words {
  readonly position: number
}

export interface Block {
  readonly positions: string
  /** What the lines take. */
  readonly bytes: number
  readonly body: Uint8Array
}

const HEAD_BYTES = 3
const CHECK_BYTES = 4
/** 512 bytes: a few messages of a sentence each, or one that is longer. */
const SHORTEST_STRETCH = 9
const MOST_STRETCHES = 255
const LINE_END = 0x0a

/** False for JSON that somebody else wrote, with line ends or tabs of its own. */
export function canPack({ content, metadata }: Words): boolean {
  return !/[\n\t]/.test(content) && !/[\n\t]/.test(metadata ?? '')
}

/** Packs messages, given in order of position, and makes sure that they can be unpacked. */
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

/** By position, in order; those that cannot be read any more are missing. */
export function unpackMessages(block: Block): ReadonlyMap<number, Words> {
  const { positions, wordsAt } = unpackBlock(block)
  return new Map(
    positions.flatMap((position) => {
      const words = wordsAt(position)
      return words === undefined ? [] : [[position, words] as const]
    }),
  )
}

/** A block whose lines are unpacked. A message is only made, and its stretch only checked, when it is asked for. */
export interface UnpackedBlock {
  readonly positions: readonly number[]
  /** What it takes in memory. */
  readonly bytes: number
  /** Undefined where there is no such message in it, or it cannot be read any more. */
  wordsAt(position: number): Words | undefined
}

export function unpackBlock({ positions, bytes, body }: Block): UnpackedBlock {
  if (body.length < HEAD_BYTES) return { positions: [], bytes: 0, wordsAt: () => undefined }
  const packed = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const [format = 0, doubled = 0, count = 0] = packed
  // A copy: who keeps the block need not keep what it was packed to.
  const checks = Buffer.from(packed.subarray(HEAD_BYTES, HEAD_BYTES + count * CHECK_BYTES))
  const lines = unsqueeze({ format, stream: packed.subarray(HEAD_BYTES + checks.length) }, bytes)
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

/** The shorter the stretches, the more can be saved from damage: as short as gzip's size leaves room for. */
function addChecks(lines: Buffer, positions: string): Buffer {
  const { format, stream, gzipBytes } = squeeze(lines)
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

/** Some lines in a row that share a check. */
interface Stretch {
  readonly firstLine: number
  readonly start: number
  readonly end: number
}

interface Lines {
  /** Where each line ends, its end included. */
  readonly ends: readonly number[]
  readonly stretches: readonly Stretch[]
}

/** A line without an end, as a damaged stream may leave one, belongs to none. */
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
