// Blocks as rows, and how messages get the words back that lie in one. Every reader of messages goes
// through `withWords`; only those who write blocks (compress.ts, erase.ts) need to know more.

import { type Block, type PlacedWords, type UnpackedBlock, unpackBlock } from '../pack-messages.ts'
import type { BlockRow, PackedRow } from '../rows.ts'
import { type Connection, StaleReadError } from './connection.ts'
import { isDamage } from './driver-errors.ts'

/** The block of a message whose words were lost before it came here. None has this number. */
const LOST = 0

const DAMAGED = { content: '""', metadata: null, is_damaged: true } as const
const NOTHING: UnpackedBlock = { positions: [], bytes: 0, wordsAt: () => undefined }

/** The rows, which get their words put in. Each block is unpacked once. */
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
  // Another process may have put the words elsewhere since the row was read.
  if (number !== LOST && connection.transaction === 'none') throw new StaleReadError()
  return NOTHING
}

function unpack(connection: Connection, row: BlockRow): UnpackedBlock {
  const block = unpackBlock(row)
  // What a write sees may be undone, and its number given to another block.
  if (connection.transaction !== 'write') connection.recentBlocks.add(row.number, block)
  return block
}

/** Undefined where it is not there, or lies on a page that SQLite cannot read: that must not cost other messages. */
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

/** Keeps a block and gives it a number. */
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

/** Tells messages that are in a block already that it has another number now. */
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

/** Notes of a message that its words are lost: it comes from where they could not be read any more. */
export function markLost(connection: Connection, number: number): void {
  connection.run("UPDATE message SET content = '', metadata = NULL, block = ? WHERE number = ?", LOST, number)
}
