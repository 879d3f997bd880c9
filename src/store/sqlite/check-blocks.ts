// The `doctor` checks of compressed messages: which ones are unreadable, and whether each block contains the right
// messages. Blocks are unpacked without the cache, one conversation at a time.

import { unpackMessages } from '../pack-messages.ts'
import { readPositions } from '../positions.ts'
import type { BlockRow } from '../rows.ts'
import { readBlock } from './blocks.ts'
import type { Connection } from './connection.ts'

interface PackedConversation {
  readonly number: number
  readonly id: string
  readonly workspace: string
}

/** One sentence for each block that is damaged or missing. */
export function findDamagedBlocks(connection: Connection): readonly string[] {
  return connection.snapshot(() =>
    findPacked(connection).flatMap((conversation) =>
      [...readPackedPositions(connection, conversation)].flatMap(([number, positions]) =>
        tellDamage(conversation, positions, readBlock(connection, number)),
      ),
    ),
  )
}

/** One sentence for each block that contains a message which should not be in it. */
export function findStrayWords(connection: Connection): readonly string[] {
  return connection.snapshot(() =>
    findPacked(connection).flatMap((conversation) => {
      const packed = readPackedPositions(connection, conversation)
      return readHeads(connection, conversation).flatMap(({ number, positions, messages }) => {
        const expected = (packed.get(number) ?? []).join()
        const held = readPositions(positions)
        if (held.join() === expected && held.length === messages) return []
        return [`a block of ${name(conversation)} does not contain exactly its own messages`]
      })
    }),
  )
}

function findPacked(connection: Connection): readonly PackedConversation[] {
  return connection.all<PackedConversation>(
    `SELECT c.number, c.id, w.id AS workspace FROM conversation c JOIN workspace w ON w.number = c.workspace
     WHERE c.number IN (SELECT conversation FROM block UNION SELECT conversation FROM message WHERE block IS NOT NULL)`,
  )
}

function readHeads(
  connection: Connection,
  { number }: PackedConversation,
): readonly Pick<BlockRow, 'number' | 'positions' | 'messages'>[] {
  return connection.all('SELECT number, positions, messages FROM block WHERE conversation = ?', number)
}

/** Positions of the messages in each block, by block number. */
function readPackedPositions(
  connection: Connection,
  { number }: PackedConversation,
): ReadonlyMap<number, readonly number[]> {
  const rows = connection.all<{ position: number; block: number }>(
    'SELECT position, block FROM message WHERE conversation = ? AND block IS NOT NULL ORDER BY position',
    number,
  )
  const byBlock = new Map<number, number[]>()
  for (const { position, block } of rows) {
    const positions = byBlock.get(block)
    if (positions === undefined) byBlock.set(block, [position])
    else positions.push(position)
  }
  return byBlock
}

function tellDamage(
  conversation: PackedConversation,
  positions: readonly number[],
  block: BlockRow | undefined,
): readonly string[] {
  const words = block === undefined ? new Map() : unpackMessages(block)
  const readable = positions.filter((position) => words.has(position)).length
  if (readable === positions.length) return []
  const place = name(conversation)
  if (block === undefined) return [`the text of ${positions.length} messages of ${place} is missing`]
  return [`a block of ${place} is damaged: ${readable} of its ${positions.length} messages can still be read`]
}

const name = ({ id, workspace }: PackedConversation): string => `"${id}" in workspace "${workspace}"`
