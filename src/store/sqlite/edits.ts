import { conversationId, type WorkspaceId } from '../../domain/ids.ts'
import type { Edit, EditList, NewEdit } from '../edits.ts'
import type { Connection } from './connection.ts'
import { createWorkspace, needRow } from './conversations.ts'
import type { SqlValue } from './driver.ts'

interface EditRow {
  readonly number: number
  readonly conversation_id: string | null
  readonly kind: string
  readonly key: string
  readonly body: string
  readonly sources: string
  readonly position: number
  readonly created_at: number
  readonly expires_at: number | null
}

export interface EditRequest {
  readonly workspace: WorkspaceId
  readonly edit: NewEdit
  readonly now: Date
  readonly replace?: boolean
}

export function saveEdit(connection: Connection, { workspace, edit, now, replace }: EditRequest): Edit {
  const conversation =
    edit.conversation === undefined
      ? undefined
      : needRow(connection, { workspace, conversation: edit.conversation })
  const number = conversation?.workspace ?? createWorkspace(connection, workspace, now)
  if (replace === true) {
    connection.run(
      'DELETE FROM edit WHERE workspace = ? AND kind = ? AND key = ? AND conversation IS ?',
      number,
      edit.kind,
      edit.key,
      conversation?.number ?? null,
    )
  }
  const position = conversation?.message_count ?? 0
  const { rowid } = connection.run(
    `INSERT INTO edit (workspace, conversation, kind, key, body, sources, position, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    number,
    conversation?.number ?? null,
    edit.kind,
    edit.key,
    JSON.stringify(edit.body),
    JSON.stringify(edit.sources ?? []),
    position,
    now.getTime(),
    edit.expiresAt?.getTime() ?? null,
  )
  return { ...edit, id: rowid, position, createdAt: now }
}

export function readEdits(connection: Connection, list: EditList): readonly Edit[] {
  const values: SqlValue[] = [list.workspace, list.after ?? 0, JSON.stringify(list.kinds)]
  const conditions = ['w.id = ?', 'e.number > ?', 'e.kind IN (SELECT value FROM json_each(?))']
  const add = (condition: string, value: SqlValue) => {
    conditions.push(condition)
    values.push(value)
  }
  if (list.conversation === null) conditions.push('e.conversation IS NULL')
  else if (list.conversation !== undefined) add('c.id = ?', list.conversation)
  if (list.key !== undefined) add('e.key = ?', list.key)
  if (list.now !== undefined) add('(e.expires_at IS NULL OR e.expires_at > ?)', list.now.getTime())
  return connection
    .all<EditRow>(
      `SELECT e.*, c.id AS conversation_id FROM edit e JOIN workspace w ON w.number = e.workspace
       LEFT JOIN conversation c ON c.number = e.conversation WHERE ${conditions.join(' AND ')} ORDER BY e.number`,
      ...values,
    )
    .map(toEdit)
}

export function deleteEdits(connection: Connection, workspace: WorkspaceId, ids: readonly number[]): number {
  return connection.run(
    `DELETE FROM edit WHERE workspace = (SELECT number FROM workspace WHERE id = ?)
     AND number IN (SELECT value FROM json_each(?))`,
    workspace,
    JSON.stringify(ids),
  ).changes
}

/** A fork has its memory as of then: what had been said about the messages that it has. */
export function copyEdits(
  connection: Connection,
  { from, into, upTo }: { readonly from: number; readonly into: number; readonly upTo: number },
): void {
  connection.run(
    `INSERT INTO edit (workspace, conversation, kind, key, body, sources, position, created_at, expires_at)
     SELECT workspace, ?, kind, key, body, sources, position, created_at, expires_at FROM edit
     WHERE conversation = ? AND position <= ? ORDER BY number`,
    into,
    from,
    upTo,
  )
}

/** Edits that may hold words of a message go with it. */
export function dropEditsOf(connection: Connection, workspace: number, messageId: string): void {
  connection.run(
    'DELETE FROM edit WHERE workspace = ? AND EXISTS (SELECT 1 FROM json_each(edit.sources) WHERE value = ?)',
    workspace,
    messageId,
  )
}

export function readEditsVersion(connection: Connection, workspace: WorkspaceId): string {
  const row = connection.get<{ count: number; last: number | null }>(
    'SELECT count(*) AS count, max(e.number) AS last FROM edit e JOIN workspace w ON w.number = e.workspace WHERE w.id = ?',
    workspace,
  )
  return `${row?.count ?? 0}:${row?.last ?? 0}`
}

function toEdit(row: EditRow): Edit {
  return {
    id: row.number,
    kind: row.kind,
    key: row.key,
    body: JSON.parse(row.body),
    sources: JSON.parse(row.sources),
    ...(row.conversation_id !== null && { conversation: conversationId(row.conversation_id) }),
    position: row.position,
    createdAt: new Date(row.created_at),
    ...(row.expires_at !== null && { expiresAt: new Date(row.expires_at) }),
  }
}
