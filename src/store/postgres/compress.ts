// Packs older messages into blocks. Small batches make small blocks, which take more space in total, so the newest
// blocks of a conversation are merged as soon as they make a large one.

import { MOST_BYTES, MOST_MESSAGES, SMALL_BYTES, SMALL_MESSAGES } from '../block-size.ts'
import { canPack, type PlacedWords, packMessages } from '../pack-messages.ts'
import { readPositions } from '../positions.ts'
import type { BlockRow } from '../rows.ts'
import { findRow, needLocked } from '../sql/conversations.ts'
import type { Compressed, ConversationKey } from '../store.ts'
import { type BlockKey, deleteBlocks, moveTo, readBlocks, unpackRow, writeBlock } from './blocks.ts'
import { execute } from './execute.ts'
import type { Session } from './session.ts'

const NOTHING: Compressed = { messages: 0, bytesBefore: 0, bytesAfter: 0 }

export async function compress(
  session: Session,
  key: ConversationKey,
  positions: readonly number[],
): Promise<Compressed> {
  const { workspace, number } = await execute(session, needLocked(key))
  let sum = NOTHING
  for await (const batch of readBatches(session, { workspace, conversation: number }, positions)) {
    const done = await compressBatch(session, { workspace, conversation: number }, batch)
    sum = {
      messages: sum.messages + done.messages,
      bytesBefore: sum.bytesBefore + done.bytesBefore,
      bytesAfter: sum.bytesAfter + done.bytesAfter,
    }
  }
  return sum
}

const READ_AT_ONCE = 500

/** Messages that are neither erased nor in a block, in order, in batches of at most one block. */
async function* readBatches(
  session: Session,
  { workspace, conversation }: BlockKey,
  positions: readonly number[],
): AsyncGenerator<readonly PlacedWords[]> {
  const wanted = [...new Set(positions)].sort((a, b) => a - b)
  for (let first = 0; first < wanted.length; first += READ_AT_ONCE) {
    const rows = await session.all<PlacedWords>(
      `SELECT position, content, metadata FROM message WHERE workspace = $1 AND conversation = $2
         AND position = ANY($3::int[]) AND block IS NULL AND erased_at IS NULL ORDER BY position`,
      workspace,
      conversation,
      wanted.slice(first, first + READ_AT_ONCE),
    )
    yield* inBatches(rows.filter(canPack))
  }
}

/** A message that exceeds the size limit gets its own batch. */
function* inBatches(messages: Iterable<PlacedWords>): Generator<readonly PlacedWords[]> {
  let batch: PlacedWords[] = []
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

async function compressBatch(
  session: Session,
  key: BlockKey,
  batch: readonly PlacedWords[],
): Promise<Compressed> {
  const bytesBefore = countBytes(batch)
  const small = await findSmallBlocks(session, key, { messages: batch.length, bytes: bytesBefore })
  const joined = small.flatMap(({ words }) => words)
  const messages = [...joined, ...batch].sort((a, b) => a.position - b.position)
  const block = packMessages(messages)
  const bytesAfter = block.body.length - small.reduce((sum, { body }) => sum + body.length, 0)
  if (bytesAfter >= bytesBefore) return NOTHING
  await deleteBlocks(
    session,
    key.workspace,
    small.map(({ number }) => number),
  )
  const number = await writeBlock(session, key, { block, messages: messages.length })
  await moveTo(session, number, { ...key, messages: joined })
  await session.run(
    `UPDATE message SET content = '', metadata = NULL, block = $1
     WHERE workspace = $2 AND conversation = $3 AND position = ANY($4::int[])`,
    number,
    key.workspace,
    key.conversation,
    batch.map(({ position }) => position),
  )
  return { messages: batch.length, bytesBefore, bytesAfter }
}

interface Size {
  readonly messages: number
  readonly bytes: number
}

interface SmallBlock extends BlockRow {
  readonly words: readonly PlacedWords[]
}

/**
 * The newest small blocks of a conversation, if merging them with the new messages makes a block that is not small.
 */
async function findSmallBlocks(session: Session, key: BlockKey, more: Size): Promise<readonly SmallBlock[]> {
  const newest = await session.all<Size & { readonly number: number }>(
    `SELECT number, messages, bytes FROM block WHERE workspace = $1 AND conversation = $2
     ORDER BY number DESC LIMIT ${MOST_MESSAGES}`,
    key.workspace,
    key.conversation,
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
  return isSmall(sum) ? [] : (await readBlocks(session, key.workspace, small)).flatMap(openWhole)
}

const isSmall = ({ messages, bytes }: Size): boolean => messages < SMALL_MESSAGES && bytes < SMALL_BYTES

/** Leaves a damaged block as it is. */
function openWhole(block: BlockRow): readonly SmallBlock[] {
  const words = unpackRow(block)
  return words.length === block.messages ? [{ ...block, words }] : []
}

export async function readCompressedPositions(
  session: Session,
  key: ConversationKey,
): Promise<readonly number[]> {
  const conversation = await execute(session, findRow(key))
  if (conversation === undefined) return []
  const rows = await session.all<{ positions: string }>(
    'SELECT positions FROM block WHERE workspace = $1 AND conversation = $2',
    conversation.workspace,
    conversation.number,
  )
  return rows.flatMap(({ positions }) => readPositions(positions)).sort((a, b) => a - b)
}
