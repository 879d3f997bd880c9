import { type MessageId, messageId, type WorkspaceId } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import { MESSAGE_COLUMNS, type MessageRow, toMessage } from '../rows.ts'
import { findRow } from '../sql/conversations.ts'
import { findWorkspace } from '../sql/workspaces.ts'
import type { ConversationKey, MessageRange } from '../store.ts'
import { withWords } from './blocks.ts'
import type { Connection } from './connection.ts'
import { execute } from './dialect.ts'
import type { SqlValue } from './driver.ts'

const FROM_MESSAGE = 'FROM message m JOIN conversation c ON c.number = m.conversation'

export function readMessages(connection: Connection, range: MessageRange): readonly Message[] {
  const rows = readRange<MessageRow>(connection, range, MESSAGE_COLUMNS)
  return withWords(connection, rows).map(toMessage)
}

export function readMessageIds(connection: Connection, range: MessageRange): readonly MessageId[] {
  return readRange<{ id: string }>(connection, range, 'm.id').map(({ id }) => messageId(id))
}

function readRange<Row>(connection: Connection, range: MessageRange, columns: string): Row[] {
  const conversation = execute(connection, findRow(range))
  if (conversation === undefined) return []
  const isBackwards = range.direction === 'backwards'
  const values: SqlValue[] = [conversation.number, range.after ?? -1, range.before ?? Number.MAX_SAFE_INTEGER]
  const rows = connection.all<Row>(
    `SELECT ${columns} ${FROM_MESSAGE} WHERE m.conversation = ? AND m.position > ? AND m.position < ?
     ORDER BY m.position ${isBackwards ? 'DESC' : 'ASC'} LIMIT ?`,
    ...values,
    range.limit,
  )
  return isBackwards ? rows.reverse() : rows
}

export function readSystemMessages(connection: Connection, key: ConversationKey): readonly Message[] {
  const conversation = execute(connection, findRow(key))
  if (conversation === undefined) return []
  const rows = connection.all<MessageRow>(
    `SELECT ${MESSAGE_COLUMNS} ${FROM_MESSAGE}
     WHERE m.conversation = ? AND m.role = 'system' AND m.erased_at IS NULL ORDER BY m.position`,
    conversation.number,
  )
  return withWords(connection, rows).map(toMessage)
}

export function findMessageRow(
  connection: Connection,
  workspace: number,
  id: MessageId,
): MessageRow | undefined {
  const rows = connection.all<MessageRow>(
    `SELECT ${MESSAGE_COLUMNS} ${FROM_MESSAGE} WHERE m.workspace = ? AND m.id = ?`,
    workspace,
    id,
  )
  return withWords(connection, rows)[0]
}

export function findMessage(
  connection: Connection,
  workspace: WorkspaceId,
  id: MessageId,
): Message | undefined {
  const number = execute(connection, findWorkspace(workspace))
  const row = number === undefined ? undefined : findMessageRow(connection, number, id)
  return row && toMessage(row)
}
