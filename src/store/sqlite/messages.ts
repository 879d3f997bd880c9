import type { MessageId, WorkspaceId } from '../../domain/ids.ts'
import { messageId } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import type { Page } from '../../domain/search.ts'
import type { ConversationKey, MessageRange, MessageSearch } from '../store.ts'
import { withWords } from './blocks.ts'
import type { Connection } from './connection.ts'
import { findRow, findWorkspace } from './conversations.ts'
import { readCursor, writeCursor } from './cursor.ts'
import type { SqlValue } from './driver.ts'
import { MESSAGE_COLUMNS, type MessageRow, toMessage } from './rows.ts'
import { toMatch } from './word-index.ts'

const FROM_MESSAGE = 'FROM message m JOIN conversation c ON c.number = m.conversation'

export function readMessages(connection: Connection, range: MessageRange): readonly Message[] {
  const rows = readRange<MessageRow>(connection, range, MESSAGE_COLUMNS)
  return withWords(connection, rows).map(toMessage)
}

export function readMessageIds(connection: Connection, range: MessageRange): readonly MessageId[] {
  return readRange<{ id: string }>(connection, range, 'm.id').map(({ id }) => messageId(id))
}

function readRange<Row>(connection: Connection, range: MessageRange, columns: string): Row[] {
  const conversation = findRow(connection, range)
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
  const conversation = findRow(connection, key)
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
  const number = findWorkspace(connection, workspace)
  const row = number === undefined ? undefined : findMessageRow(connection, number, id)
  return row && toMessage(row)
}

/** Newest first by row number: the index yields rows in that order, so that a common word costs no more than a rare one. */
export function searchMessages(connection: Connection, search: MessageSearch): Page<Message> {
  const scope = searchScope(connection, search)
  if (scope === undefined) return { items: [] }
  const [before] = search.cursor === undefined ? [Number.MAX_SAFE_INTEGER] : readCursor(search.cursor, 1)
  const rows = connection.all<MessageRow>(
    `SELECT ${MESSAGE_COLUMNS} FROM message_words
     JOIN message m ON m.number = message_words.rowid JOIN conversation c ON c.number = m.conversation
     WHERE message_words MATCH ? AND message_words.rowid < ? ORDER BY message_words.rowid DESC LIMIT ?`,
    toMatch(search.terms, scope),
    before as number,
    search.limit + 1,
  )
  const items = withWords(connection, rows.slice(0, search.limit))
  const last = items.at(-1)
  const hasMore = rows.length > search.limit && last !== undefined
  return { items: items.map(toMessage), ...(hasMore && { next: writeCursor([last.number]) }) }
}

function searchScope(connection: Connection, search: MessageSearch): string | undefined {
  if (search.conversation === undefined) {
    const workspace = findWorkspace(connection, search.workspace)
    return workspace === undefined ? undefined : `w${workspace}`
  }
  const row = findRow(connection, { workspace: search.workspace, conversation: search.conversation })
  return row && `c${row.number}`
}
