import { type MessageId, messageId, type WorkspaceId } from '../../domain/ids.ts'
import { POSITIONS_PER_CONVERSATION } from '../../domain/locator.ts'
import type { Message } from '../../domain/message.ts'
import { MESSAGE_COLUMNS, type MessageRow, toMessage } from '../rows.ts'
import { findRow } from '../sql/conversations.ts'
import { findWorkspace } from '../sql/workspaces.ts'
import type { ConversationKey, MessageRange } from '../store.ts'
import { withWords } from './blocks.ts'
import { execute } from './execute.ts'
import type { Session } from './session.ts'

export const FROM_MESSAGE =
  'FROM message m JOIN conversation c ON c.workspace = m.workspace AND c.number = m.conversation'

export async function readMessages(session: Session, range: MessageRange): Promise<readonly Message[]> {
  const { workspace, rows } = await readRange<MessageRow>(session, range, MESSAGE_COLUMNS)
  return (await withWords(session, workspace, rows)).map(toMessage)
}

export async function readMessageIds(session: Session, range: MessageRange): Promise<readonly MessageId[]> {
  const { rows } = await readRange<{ id: string }>(session, range, 'm.id')
  return rows.map(({ id }) => messageId(id))
}

async function readRange<Row>(
  session: Session,
  range: MessageRange,
  columns: string,
): Promise<{ readonly workspace: number; readonly rows: Row[] }> {
  const conversation = await execute(session, findRow(range))
  if (conversation === undefined) return { workspace: 0, rows: [] }
  const isBackwards = range.direction === 'backwards'
  const rows = await session.all<Row>(
    `SELECT ${columns} ${FROM_MESSAGE} WHERE m.workspace = $1 AND m.conversation = $2
       AND m.position > $3 AND m.position < $4
     ORDER BY m.position ${isBackwards ? 'DESC' : 'ASC'} LIMIT $5`,
    conversation.workspace,
    conversation.number,
    Math.max(range.after ?? -1, -1),
    Math.min(range.before ?? POSITIONS_PER_CONVERSATION, POSITIONS_PER_CONVERSATION),
    range.limit,
  )
  return { workspace: conversation.workspace, rows: isBackwards ? rows.reverse() : rows }
}

export async function readSystemMessages(
  session: Session,
  key: ConversationKey,
): Promise<readonly Message[]> {
  const conversation = await execute(session, findRow(key))
  if (conversation === undefined) return []
  const rows = await session.all<MessageRow>(
    `SELECT ${MESSAGE_COLUMNS} ${FROM_MESSAGE} WHERE m.workspace = $1 AND m.conversation = $2
       AND m.role = 'system' AND m.erased_at IS NULL ORDER BY m.position`,
    conversation.workspace,
    conversation.number,
  )
  return (await withWords(session, conversation.workspace, rows)).map(toMessage)
}

/** Returns the existing ones, in no particular order. */
export async function findMessageRows(
  session: Session,
  workspace: number,
  ids: readonly MessageId[],
): Promise<readonly MessageRow[]> {
  const rows = await session.all<MessageRow>(
    `SELECT ${MESSAGE_COLUMNS} ${FROM_MESSAGE} WHERE m.workspace = $1 AND m.id = ANY($2::text[])`,
    workspace,
    ids,
  )
  return withWords(session, workspace, rows)
}

export async function findMessage(
  session: Session,
  workspace: WorkspaceId,
  id: MessageId,
): Promise<Message | undefined> {
  const number = await execute(session, findWorkspace(workspace))
  const [row] = number === undefined ? [] : await findMessageRows(session, number, [id])
  return row && toMessage(row)
}
