// Which messages are compressed together. Larger blocks take less space in total (six blocks of 9 short messages take
// a fifth more than one of 54), but reading a single message takes longer. Compressing a few messages at a time makes
// small blocks: once the newest ones of a conversation together make a large one, they are merged.

import { type PlacedWords, unpackMessages } from './pack-messages.ts'
import type { BlockRow } from './rows.ts'
import type { Compressed } from './store.ts'

/** Larger blocks save little more, and 64 short messages fill a 4 kB page. */
export const MOST_MESSAGES = 64
/** Uncompressed; takes half a millisecond to unpack. A larger message gets its own block. */
export const MOST_BYTES: number = 128 * 1024

/**
 * Small blocks are merged as soon as together they are no longer small. Every message is then packed twice; merging
 * the newest small block on every write would pack it four times.
 */
export const SMALL_MESSAGES = 48
export const SMALL_BYTES: number = 32 * 1024

export const NOTHING_COMPRESSED: Compressed = { messages: 0, bytesBefore: 0, bytesAfter: 0 }

export const addCompressed = (one: Compressed, other: Compressed): Compressed => ({
  messages: one.messages + other.messages,
  bytesBefore: one.bytesBefore + other.bytesBefore,
  bytesAfter: one.bytesAfter + other.bytesAfter,
})

/** Splits messages into blocks; a message that is too large gets its own. */
export function* inBatches<Row extends PlacedWords>(messages: Iterable<Row>): Generator<readonly Row[]> {
  let batch: Row[] = []
  let bytes = 0
  for (const message of messages) {
    const more = countBytes([message])
    if (batch.length === MOST_MESSAGES || (batch.length > 0 && bytes + more > MOST_BYTES)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(message)
    bytes += more
  }
  if (batch.length > 0) yield batch
}

export function countBytes(messages: readonly PlacedWords[]): number {
  return messages.reduce(
    (sum, { content, metadata }) => sum + Buffer.byteLength(content) + Buffer.byteLength(metadata ?? ''),
    0,
  )
}

interface Size {
  readonly messages: number
  readonly bytes: number
}

export interface SizedBlock extends Size {
  readonly number: number
}

/** The newest small blocks of a conversation, if merging them with `more` makes a block that is not small. */
export function chooseSmall(newest: readonly SizedBlock[], more: Size): readonly number[] {
  const small: number[] = []
  let sum = more
  for (const { number, messages, bytes } of newest) {
    const next = { messages: sum.messages + messages, bytes: sum.bytes + bytes }
    const hasRoom = next.messages <= MOST_MESSAGES && next.bytes <= MOST_BYTES
    if (!isSmall({ messages, bytes }) || !hasRoom) break
    sum = next
    small.push(number)
  }
  return isSmall(sum) ? [] : small
}

const isSmall = ({ messages, bytes }: Size): boolean => messages < SMALL_MESSAGES && bytes < SMALL_BYTES

export interface SmallBlock extends BlockRow {
  readonly words: readonly PlacedWords[]
}

/** Leaves a damaged block as it is. */
export function openWhole(block: BlockRow): readonly SmallBlock[] {
  const words = unpackRow(block)
  return words.length === block.messages ? [{ ...block, words }] : []
}

export function unpackRow(block: BlockRow): readonly PlacedWords[] {
  return [...unpackMessages(block)].map(([position, words]) => ({ position, ...words }))
}
