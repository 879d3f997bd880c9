// Packs older messages into blocks. Small batches make small blocks, which take more space in total, so the newest
// blocks of a conversation are merged as soon as they make a large one.

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
import { findRow, needLocked } from '../sql/conversations.ts'
import type { Compressed, ConversationKey } from '../store.ts'
import { type BlockKey, deleteBlocks, moveTo, readBlocks, writeBlock } from './blocks.ts'
import { execute } from './execute.ts'
import type { Session } from './session.ts'

export async function compress(
  session: Session,
  key: ConversationKey,
  positions: readonly number[],
): Promise<Compressed> {
  const { workspace, number } = await execute(session, needLocked(key))
  let sum = NOTHING_COMPRESSED
  for await (const batch of readBatches(session, { workspace, conversation: number }, positions)) {
    const done = await compressBatch(session, { workspace, conversation: number }, batch)
    sum = addCompressed(sum, done)
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
  if (bytesAfter >= bytesBefore) return NOTHING_COMPRESSED
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

async function findSmallBlocks(
  session: Session,
  key: BlockKey,
  more: Omit<SizedBlock, 'number'>,
): Promise<readonly SmallBlock[]> {
  const newest = await session.all<SizedBlock>(
    `SELECT number, messages, bytes FROM block WHERE workspace = $1 AND conversation = $2
     ORDER BY number DESC LIMIT ${MOST_MESSAGES}`,
    key.workspace,
    key.conversation,
  )
  return (await readBlocks(session, key.workspace, chooseSmall(newest, more))).flatMap(openWhole)
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
