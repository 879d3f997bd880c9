// Moves older messages into blocks. Compressing a few at a time makes small blocks, which take more space in total:
// once the newest blocks of a conversation together make a large one, they are merged.

import { MOST_BYTES, MOST_MESSAGES, SMALL_BYTES, SMALL_MESSAGES } from '../block-size.ts'
import { canPack, type PlacedWords, packMessages } from '../pack-messages.ts'
import { readPositions } from '../positions.ts'
import type { BlockRow } from '../rows.ts'
import { findRow, needRow } from '../sql/conversations.ts'
import type { Compressed, ConversationKey } from '../store.ts'
import { deleteBlock, moveTo, readBlock, unpackRow, writeBlock } from './blocks.ts'
import type { Connection } from './connection.ts'
import { execute } from './dialect.ts'
import type { SqlValue } from './driver.ts'

const NOTHING: Compressed = { messages: 0, bytesBefore: 0, bytesAfter: 0 }

export function compress(
  connection: Connection,
  key: ConversationKey,
  positions: readonly number[],
): Compressed {
  const { number } = execute(connection, needRow(key))
  let sum = NOTHING
  for (const batch of inBatches(readLive(connection, number, positions))) {
    const { messages, bytesBefore, bytesAfter } = compressBatch(connection, number, batch)
    sum = {
      messages: sum.messages + messages,
      bytesBefore: sum.bytesBefore + bytesBefore,
      bytesAfter: sum.bytesAfter + bytesAfter,
    }
  }
  return sum
}

/** All columns of the table, including any added later. */
interface LiveRow extends PlacedWords {
  readonly [column: string]: SqlValue
  readonly number: number
  readonly block: number | null
  readonly erased_at: number | null
}

/** Messages that are neither erased nor in a block, in order. */
function* readLive(
  connection: Connection,
  conversation: number,
  positions: readonly number[],
): Generator<LiveRow> {
  for (const position of [...new Set(positions)].sort((a, b) => a - b)) {
    const row = connection.get<LiveRow>(
      'SELECT * FROM message WHERE conversation = ? AND position = ?',
      conversation,
      position,
    )
    if (row === undefined || row.block !== null || row.erased_at !== null) continue
    if (canPack(row)) yield row
  }
}

/** Splits messages into blocks; a message that is too large gets its own. */
function* inBatches(messages: Iterable<LiveRow>): Generator<readonly LiveRow[]> {
  let batch: LiveRow[] = []
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

function countBytes(messages: readonly PlacedWords[]): number {
  return messages.reduce(
    (sum, { content, metadata }) => sum + Buffer.byteLength(content) + Buffer.byteLength(metadata ?? ''),
    0,
  )
}

function compressBatch(connection: Connection, conversation: number, batch: readonly LiveRow[]): Compressed {
  const bytesBefore = countBytes(batch)
  const small = findSmallBlocks(connection, conversation, { messages: batch.length, bytes: bytesBefore })
  const joined = small.flatMap(({ words }) => words)
  const messages = [...joined, ...batch].sort((a, b) => a.position - b.position)
  const block = packMessages(messages)
  const bytesAfter = block.body.length - small.reduce((sum, { body }) => sum + body.length, 0)
  if (bytesAfter >= bytesBefore) return NOTHING
  for (const { number } of small) deleteBlock(connection, number)
  const number = writeBlock(connection, conversation, { block, messages: messages.length })
  moveTo(connection, number, { conversation, messages: joined })
  replaceRows(
    connection,
    batch.map((row) => ({ ...row, content: '', metadata: null, block: number })),
  )
  return { messages: batch.length, bytesBefore, bytesAfter }
}

/**
 * Deletes and inserts instead of updating: when a row shrinks, SQLite leaves the freed space unused, and releases
 * pages only when rows are deleted. No table may therefore reference rows of messages.
 */
function replaceRows(connection: Connection, rows: readonly LiveRow[]): void {
  for (const { number } of rows) connection.run('DELETE FROM message WHERE number = ?', number)
  for (const row of rows) {
    const columns = Object.keys(row)
    connection.run(
      `INSERT INTO message (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      ...Object.values(row),
    )
  }
}

interface Size {
  readonly messages: number
  readonly bytes: number
}

interface SmallBlock extends BlockRow {
  readonly words: readonly PlacedWords[]
}

/** The newest small blocks of a conversation, if adding `more` makes them large enough to merge. */
function findSmallBlocks(connection: Connection, conversation: number, more: Size): readonly SmallBlock[] {
  const newest = connection.all<Size & { readonly number: number }>(
    'SELECT number, messages, bytes FROM block WHERE conversation = ? ORDER BY number DESC LIMIT ?',
    conversation,
    MOST_MESSAGES,
  )
  const small: number[] = []
  let sum = more
  for (const { number, messages, bytes } of newest) {
    const next = { messages: sum.messages + messages, bytes: sum.bytes + bytes }
    const hasRoom = next.messages <= MOST_MESSAGES && next.bytes <= MOST_BYTES
    if (!isSmall({ messages, bytes }) || !hasRoom) break
    sum = next
    small.push(number)
  }
  return isSmall(sum) ? [] : small.flatMap((number) => openWhole(connection, number))
}

const isSmall = ({ messages, bytes }: Size): boolean => messages < SMALL_MESSAGES && bytes < SMALL_BYTES

/** Skips a damaged block. */
function openWhole(connection: Connection, number: number): readonly SmallBlock[] {
  const block = readBlock(connection, number)
  const words = block === undefined ? [] : unpackRow(block)
  return block !== undefined && words.length === block.messages ? [{ ...block, words }] : []
}

export function readCompressedPositions(connection: Connection, key: ConversationKey): readonly number[] {
  const conversation = execute(connection, findRow(key))
  if (conversation === undefined) return []
  return connection
    .all<{ positions: string }>('SELECT positions FROM block WHERE conversation = ?', conversation.number)
    .flatMap(({ positions }) => readPositions(positions))
    .sort((a, b) => a - b)
}
