// The checks of `doctor` for compressed messages: which ones can no longer be read, and whether blocks contain what
// they should. Blocks are unpacked for the check, one conversation at a time.

import { unpackMessages } from '../pack-messages.ts'
import { readPositions } from '../positions.ts'
import type { BlockRow } from '../rows.ts'
import { readBlocks } from './blocks.ts'
import type { Session } from './session.ts'

interface PackedConversation {
  readonly number: number
  readonly id: string
}

/** One sentence for each block that is damaged or missing. */
export async function findDamagedBlocks(session: Session, workspace: number): Promise<readonly string[]> {
  const told: string[] = []
  for (const conversation of await findPacked(session, workspace)) {
    for (const [number, positions] of await readPacked(session, workspace, conversation)) {
      const [block] = await readBlocks(session, workspace, [number])
      told.push(...tellDamage(conversation, positions, block))
    }
  }
  return told
}

/** One sentence for each block with text of a message that is not stored in it. */
export async function findStrayWords(session: Session, workspace: number): Promise<readonly string[]> {
  const told: string[] = []
  for (const conversation of await findPacked(session, workspace)) {
    const packed = await readPacked(session, workspace, conversation)
    const heads = await session.all<Pick<BlockRow, 'number' | 'positions' | 'messages'>>(
      'SELECT number, positions, messages FROM block WHERE workspace = $1 AND conversation = $2',
      workspace,
      conversation.number,
    )
    for (const { number, positions, messages } of heads) {
      const held = readPositions(positions)
      if (held.join() !== (packed.get(number) ?? []).join() || held.length !== messages)
        told.push(`a block of "${conversation.id}" does not contain exactly its own messages`)
    }
  }
  return told
}

async function findPacked(session: Session, workspace: number): Promise<readonly PackedConversation[]> {
  return session.all<PackedConversation>(
    `SELECT c.number, c.id FROM conversation c WHERE c.workspace = $1 AND c.number IN (
       SELECT conversation FROM block WHERE workspace = $1
       UNION SELECT conversation FROM message WHERE workspace = $1 AND block IS NOT NULL)`,
    workspace,
  )
}

/** The positions of messages whose text is in a block, by block number. */
async function readPacked(
  session: Session,
  workspace: number,
  { number }: PackedConversation,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const rows = await session.all<{ block: number; positions: number[] }>(
    `SELECT block, array_agg(position ORDER BY position) AS positions FROM message
     WHERE workspace = $1 AND conversation = $2 AND block IS NOT NULL GROUP BY block`,
    workspace,
    number,
  )
  return new Map(rows.map(({ block, positions }) => [block, positions]))
}

function tellDamage(
  { id }: PackedConversation,
  positions: readonly number[],
  block: BlockRow | undefined,
): readonly string[] {
  const words = block === undefined ? new Map() : unpackMessages(block)
  const readable = positions.filter((position) => words.has(position)).length
  if (readable === positions.length) return []
  if (block === undefined) return [`the text of ${positions.length} messages of "${id}" is missing`]
  return [`a block of "${id}" is damaged: ${readable} of its ${positions.length} messages can still be read`]
}
