// Blocks as rows, and how messages get back the text that is stored in a block. All code that reads messages calls
// `withWords`; only code that writes blocks (compress.ts, erase.ts) needs to know more.

import {
  type Block,
  type PlacedWords,
  packMessages,
  type UnpackedBlock,
  unpackBlock,
} from '../pack-messages.ts'
import { unpackRow } from '../plan-blocks.ts'
import type { BlockRow, PackedRow } from '../rows.ts'
import { StaleReadError } from './connection.ts'
import type { Session } from './session.ts'

/** The block number of a message whose text was already lost when it was imported. No block has this number. */
export const LOST = 0

/** Identifies the conversation of a block. */
export interface BlockKey {
  readonly workspace: number
  readonly conversation: number
}

const DAMAGED = { content: '""', metadata: null, is_damaged: true } as const

type Opened = Map<number, UnpackedBlock>

/** Fills in the text of rows of one workspace. Each block is read once. */
export async function withWords<Row extends PackedRow>(
  session: Session,
  workspace: number,
  rows: Row[],
): Promise<Row[]> {
  const numbers = new Set(rows.flatMap(({ block }) => block ?? []))
  if (numbers.size === 0) return rows
  const opened = await openBlocks(session, workspace, [...numbers])
  for (const row of rows) {
    if (row.block === null) continue
    Object.assign(row, opened.get(row.block)?.wordsAt(row.position) ?? DAMAGED)
  }
  return rows
}

async function openBlocks(session: Session, workspace: number, numbers: readonly number[]): Promise<Opened> {
  const opened: Opened = new Map()
  const missing: number[] = []
  for (const number of numbers) {
    const recent = session.recentBlocks.get(number)
    if (recent === undefined) missing.push(number)
    else opened.set(number, recent)
  }
  for (const row of await readBlocks(session, workspace, missing)) {
    const block = unpackBlock(row)
    session.recentBlocks.add(row.number, block)
    opened.set(row.number, block)
  }
  // Another transaction may have moved the text since the row was read.
  const isGone = missing.some((number) => number !== LOST && !opened.has(number))
  if (isGone && session.transaction === 'none') throw new StaleReadError()
  return opened
}

export async function readBlocks(
  session: Session,
  workspace: number,
  numbers: readonly number[],
): Promise<readonly BlockRow[]> {
  if (numbers.length === 0) return []
  return session.all<BlockRow>(
    'SELECT * FROM block WHERE workspace = $1 AND number = ANY($2::bigint[])',
    workspace,
    numbers,
  )
}

export async function deleteBlocks(
  session: Session,
  workspace: number,
  numbers: readonly number[],
): Promise<void> {
  if (numbers.length === 0) return
  await session.run(
    'DELETE FROM block WHERE workspace = $1 AND number = ANY($2::bigint[])',
    workspace,
    numbers,
  )
}

/** Stores a block and returns its number. */
export async function writeBlock(
  session: Session,
  { workspace, conversation }: BlockKey,
  { block, messages }: { readonly block: Block; readonly messages: number },
): Promise<number> {
  const row = await session.get<{ number: number }>(
    `INSERT INTO block (workspace, conversation, positions, messages, bytes, body) VALUES ($1, $2, $3, $4, $5, $6)
     RETURNING number`,
    workspace,
    conversation,
    block.positions,
    messages,
    block.bytes,
    block.body,
  )
  return (row as { number: number }).number
}

/** Points messages that are already in a block to its new number. */
export async function moveTo(
  session: Session,
  block: number,
  { workspace, conversation, messages }: BlockKey & { readonly messages: readonly PlacedWords[] },
): Promise<void> {
  if (messages.length === 0) return
  await session.run(
    'UPDATE message SET block = $1 WHERE workspace = $2 AND conversation = $3 AND position = ANY($4::int[])',
    block,
    workspace,
    conversation,
    messages.map(({ position }) => position),
  )
}

/**
 * Rewrites the block of a message without its text. Bytes that cannot be read are dropped as well, because they might
 * contain the text.
 */
export async function takeOut(
  session: Session,
  { workspace, conversation, position }: BlockKey & { readonly position: number },
): Promise<void> {
  // Reads the current block: erasing the previous copy may have rewritten it.
  const row = await session.get<{ block: number | null }>(
    'SELECT block FROM message WHERE workspace = $1 AND conversation = $2 AND position = $3',
    workspace,
    conversation,
    position,
  )
  const [block] = row?.block == null ? [] : await readBlocks(session, workspace, [row.block])
  if (block === undefined) return
  await deleteBlocks(session, workspace, [block.number])
  const messages = unpackRow(block).filter((words) => words.position !== position)
  if (messages.length === 0) return
  const key = { workspace, conversation }
  const rest = { block: packMessages(messages), messages: messages.length }
  await moveTo(session, await writeBlock(session, key, rest), { ...key, messages })
}
