// Block rows, and how messages get their content back from blocks. Every reader of messages calls `withWords`; only
// the code that writes blocks (compress.ts, erase.ts) needs to know more.

import {
  type Block,
  type PlacedWords,
  packMessages,
  type UnpackedBlock,
  unpackBlock,
} from '../pack-messages.ts'
import { unpackRow } from '../plan-blocks.ts'
import type { BlockRow, PackedRow } from '../rows.ts'
import { type Connection, StaleReadError } from './connection.ts'
import { isDamage } from './driver-errors.ts'

/** Block number of a message whose content was lost before it was copied here. No block has this number. */
const LOST = 0

const DAMAGED = { content: '""', metadata: null, is_damaged: true } as const
const EMPTY_BLOCK: UnpackedBlock = { positions: [], bytes: 0, wordsAt: () => undefined }

/** Fills in the content of the rows. Each block is unpacked once. */
export function withWords<Row extends PackedRow>(connection: Connection, rows: Row[]): Row[] {
  if (rows.every(({ block }) => block === null)) return rows
  const opened = new Map<number, UnpackedBlock>()
  for (const row of rows) {
    if (row.block === null) continue
    const block = opened.get(row.block) ?? openBlock(connection, row.block)
    opened.set(row.block, block)
    Object.assign(row, block.wordsAt(row.position) ?? DAMAGED)
  }
  return rows
}

function openBlock(connection: Connection, number: number): UnpackedBlock {
  const recent = connection.recentBlocks.get(number)
  if (recent !== undefined) return recent
  const block = readBlock(connection, number)
  if (block !== undefined) return unpack(connection, block)
  // Another process may have moved the content since the row was read.
  if (number !== LOST && connection.transaction === 'none') throw new StaleReadError()
  return EMPTY_BLOCK
}

function unpack(connection: Connection, row: BlockRow): UnpackedBlock {
  const block = unpackBlock(row)
  // Blocks written by this transaction may be rolled back and their numbers reused.
  if (connection.transaction !== 'write') connection.recentBlocks.add(row.number, block)
  return block
}

/** Undefined if the block is missing or on a page that SQLite cannot read, which must not affect other messages. */
export function readBlock(connection: Connection, number: number): BlockRow | undefined {
  try {
    return connection.get<BlockRow>('SELECT * FROM block WHERE number = ?', number)
  } catch (error) {
    if (isDamage(error)) return undefined
    throw error
  }
}

export function deleteBlock(connection: Connection, number: number): void {
  connection.run('DELETE FROM block WHERE number = ?', number)
}

/** Stores a block and assigns its number. */
export function writeBlock(
  connection: Connection,
  conversation: number,
  { block, messages }: { readonly block: Block; readonly messages: number },
): number {
  const { rowid } = connection.run(
    'INSERT INTO block (conversation, positions, messages, bytes, body) VALUES (?, ?, ?, ?, ?)',
    conversation,
    block.positions,
    messages,
    block.bytes,
    block.body,
  )
  return rowid
}

/** Updates messages that are already in a block to its new number. */
export function moveTo(
  connection: Connection,
  block: number,
  { conversation, messages }: { readonly conversation: number; readonly messages: readonly PlacedWords[] },
): void {
  for (const { position } of messages) {
    connection.run(
      'UPDATE message SET block = ? WHERE conversation = ? AND position = ?',
      block,
      conversation,
      position,
    )
  }
}

/** Marks a message as lost, copied from a store where its content was unreadable. */
export function markLost(connection: Connection, number: number): void {
  connection.run("UPDATE message SET content = '', metadata = NULL, block = ? WHERE number = ?", LOST, number)
}

/**
 * Rewrites the block of a message without its content. Unreadable bytes are dropped too, since they might contain
 * that content.
 */
export function takeOut(connection: Connection, message: number): void {
  const row = connection.get<PackedRow & { readonly conversation: number }>(
    'SELECT position, conversation, content, metadata, block FROM message WHERE number = ?',
    message,
  )
  const block = row?.block == null ? undefined : readBlock(connection, row.block)
  if (row === undefined || block === undefined) return
  deleteBlock(connection, block.number)
  const messages = unpackRow(block).filter(({ position }) => position !== row.position)
  if (messages.length === 0) return
  const rest = { block: packMessages(messages), messages: messages.length }
  const number = writeBlock(connection, row.conversation, rest)
  moveTo(connection, number, { conversation: row.conversation, messages })
}
