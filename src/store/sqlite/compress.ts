// Moves older messages into blocks. Compressing a few at a time makes small blocks, which take more space in total:
// once the newest blocks of a conversation together make a large one, they are merged.

import { canPack, type PlacedWords, packMessages } from '../pack-messages.ts'
import {
  addCompressed,
  chooseSmall,
  countBytes,
  inBatches,
  MOST_MESSAGES,
  NOTHING_COMPRESSED,
  openWhole,
  type SizedBlock,
  type SmallBlock,
} from '../plan-blocks.ts'
import { readPositions } from '../positions.ts'
import { findRow, needRow } from '../sql/conversations.ts'
import type { Compressed, ConversationKey } from '../store.ts'
import { deleteBlock, moveTo, readBlock, writeBlock } from './blocks.ts'
import type { Connection } from './connection.ts'
import { execute } from './dialect.ts'
import type { SqlValue } from './driver.ts'

export function compress(
  connection: Connection,
  key: ConversationKey,
  positions: readonly number[],
): Compressed {
  const { number } = execute(connection, needRow(key))
  let sum = NOTHING_COMPRESSED
  for (const batch of inBatches(readLive(connection, number, positions))) {
    sum = addCompressed(sum, compressBatch(connection, number, batch))
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

function compressBatch(connection: Connection, conversation: number, batch: readonly LiveRow[]): Compressed {
  const bytesBefore = countBytes(batch)
  const small = findSmallBlocks(connection, conversation, { messages: batch.length, bytes: bytesBefore })
  const joined = small.flatMap(({ words }) => words)
  const messages = [...joined, ...batch].sort((a, b) => a.position - b.position)
  const block = packMessages(messages)
  const bytesAfter = block.body.length - small.reduce((sum, { body }) => sum + body.length, 0)
  if (bytesAfter >= bytesBefore) return NOTHING_COMPRESSED
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

function findSmallBlocks(
  connection: Connection,
  conversation: number,
  more: Omit<SizedBlock, 'number'>,
): readonly SmallBlock[] {
  const newest = connection.all<SizedBlock>(
    'SELECT number, messages, bytes FROM block WHERE conversation = ? ORDER BY number DESC LIMIT ?',
    conversation,
    MOST_MESSAGES,
  )
  return chooseSmall(newest, more).flatMap((number) => {
    const block = readBlock(connection, number)
    return block === undefined ? [] : openWhole(block)
  })
}

export function readCompressedPositions(connection: Connection, key: ConversationKey): readonly number[] {
  const conversation = execute(connection, findRow(key))
  if (conversation === undefined) return []
  return connection
    .all<{ positions: string }>('SELECT positions FROM block WHERE conversation = ?', conversation.number)
    .flatMap(({ positions }) => readPositions(positions))
    .sort((a, b) => a - b)
}
