import type { Conversation, ForkPoint } from '../../domain/conversation.ts'
import { MemoryError } from '../../domain/errors.ts'
import type { WorkspaceId } from '../../domain/ids.ts'
import type { Paginated } from '../../domain/search.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import { type ConversationRow, toConversation } from '../rows.ts'
import * as workspaces from '../sql/workspaces.ts'
import type { ConversationFields, ConversationKey, ConversationList, NewConversation } from '../store.ts'
import type { Connection } from './connection.ts'
import { execute } from './dialect.ts'
import type { SqlValue } from './driver.ts'
import { addEntry, conversationEntry, matchInWorkspace, removeEntry, toMatch } from './word-index.ts'

export const findWorkspace = (connection: Connection, id: WorkspaceId): number | undefined =>
  execute(connection, workspaces.findWorkspace(id))

export const createWorkspace = (connection: Connection, id: WorkspaceId, now: Date): number =>
  execute(connection, workspaces.createWorkspace(id, now))

export function findRow(connection: Connection, key: ConversationKey): ConversationRow | undefined {
  return connection.get<ConversationRow>(
    'SELECT c.* FROM conversation c JOIN workspace w ON w.number = c.workspace WHERE w.id = ? AND c.id = ?',
    key.workspace,
    key.conversation,
  )
}

export function needRow(connection: Connection, key: ConversationKey): ConversationRow {
  const row = findRow(connection, key)
  if (row !== undefined) return row
  throw new MemoryError('not-found', `there is no conversation "${key.conversation}"`, {
    hint: 'list the conversations to see their ids',
  })
}

export function createConversation(connection: Connection, request: NewConversation): Conversation {
  return toConversation(createRow(connection, request))
}

/** The existing row, or a new one. */
export function createRow(connection: Connection, request: NewConversation): ConversationRow {
  const found = findRow(connection, request)
  if (found !== undefined) return found
  const workspace = createWorkspace(connection, request.workspace, request.createdAt)
  const createdAt = request.createdAt.getTime()
  const { rowid } = connection.run(
    'INSERT INTO conversation (workspace, id, forked_from, created_at, last_used_at) VALUES (?, ?, ?, ?, ?)',
    workspace,
    request.conversation,
    toForkColumn(request.forkedFrom),
    createdAt,
    createdAt,
  )
  const row = updateRow(connection, needRow(connection, request), toColumns(request.fields))
  addEntry(connection, 'conversation_words', conversationEntry(rowid, row))
  return row
}

const toForkColumn = (fork: ForkPoint | undefined): string | null => (fork ? JSON.stringify(fork) : null)

/** Writes the given fields and updates the word index. */
export function changeRow(
  connection: Connection,
  row: ConversationRow,
  fields: ConversationFields,
): ConversationRow {
  const columns = toColumns(fields)
  const changed = updateRow(connection, row, columns)
  if ('title' in columns || 'tags' in columns) {
    removeEntry(connection, 'conversation_words', conversationEntry(row.number, row))
    addEntry(connection, 'conversation_words', conversationEntry(row.number, changed))
  }
  return changed
}

function updateRow(
  connection: Connection,
  row: ConversationRow,
  columns: Record<string, SqlValue>,
): ConversationRow {
  const names = Object.keys(columns)
  if (names.length === 0) return row
  connection.run(
    `UPDATE conversation SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE number = ?`,
    ...Object.values(columns),
    row.number,
  )
  return { ...row, ...columns } as ConversationRow
}

function toColumns(fields: ConversationFields): Record<string, SqlValue> {
  const columns: Record<string, SqlValue | undefined> = {
    title: fields.title,
    is_title_given: toFlag(fields.isTitleGiven),
    tags: toJson(fields.tags),
    is_pinned: toFlag(fields.isPinned),
    archived_at: fields.archivedAt === null ? null : fields.archivedAt?.getTime(),
    is_memory_on: toFlag(fields.isMemoryOn),
    documents: toJson(fields.documents),
    metadata: toJson(fields.metadata),
  }
  const given = Object.entries(columns).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as Record<string, SqlValue>
}

const toFlag = (value: boolean | undefined) => (value === undefined ? undefined : Number(value))
const toJson = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value))

export function changeConversation(
  connection: Connection,
  key: ConversationKey,
  fields: ConversationFields,
): Conversation {
  return toConversation(changeRow(connection, needRow(connection, key), fields))
}

const ARCHIVED = {
  without: 'c.archived_at IS NULL',
  only: 'c.archived_at IS NOT NULL',
  with: 'TRUE',
} as const

export function listConversations(connection: Connection, list: ConversationList): Paginated<Conversation> {
  const workspace = findWorkspace(connection, list.workspace)
  if (workspace === undefined) return { items: [] }
  const { sql, values } = listConditions(workspace, list)
  const rows = connection.all<ConversationRow>(
    `SELECT c.* FROM conversation c WHERE ${sql.join(' AND ')}
     ORDER BY c.last_used_at DESC, c.number DESC LIMIT ?`,
    ...values,
    list.limit + 1,
  )
  const items = rows.slice(0, list.limit)
  const last = items.at(-1)
  const hasMore = rows.length > list.limit && last !== undefined
  return {
    items: items.map(toConversation),
    ...(hasMore && { next: writeCursor([last.last_used_at, last.number]) }),
  }
}

function listConditions(workspace: number, list: ConversationList): { sql: string[]; values: SqlValue[] } {
  const sql: string[] = ['c.workspace = ?', ARCHIVED[list.archived]]
  const values: SqlValue[] = [workspace]
  const add = (condition: string, ...more: SqlValue[]) => {
    sql.push(condition)
    values.push(...more)
  }
  if (list.cursor !== undefined) {
    const [lastUsedAt, number] = readCursor(list.cursor, 2)
    add('(c.last_used_at, c.number) < (?, ?)', lastUsedAt as number, number as number)
  }
  if (list.tag !== undefined) add('EXISTS (SELECT 1 FROM json_each(c.tags) WHERE value = ?)', list.tag)
  if (list.isPinned !== undefined) add('c.is_pinned = ?', Number(list.isPinned))
  if (list.unusedSince !== undefined) {
    const since = list.unusedSince.getTime()
    add('c.last_used_at < ?', since)
    add(
      `NOT EXISTS (SELECT 1 FROM page p WHERE p.workspace = c.workspace AND p.id = c.id AND p.last_used_at >= ?)`,
      since,
    )
  }
  if (list.terms !== undefined) {
    add(
      'c.number IN (SELECT rowid FROM conversation_words WHERE conversation_words MATCH ?)',
      matchInWorkspace(toMatch(list.terms), workspace),
    )
  }
  return { sql, values }
}
