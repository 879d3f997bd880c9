import { MemoryError } from '../../domain/errors.ts'
import { conversationId, type MessageId, type WorkspaceId } from '../../domain/ids.ts'
import { byKey } from '../batch.ts'
import type { Edit, EditList, NewEdit, SaveEditOptions } from '../edits.ts'
import type { NamedEdits } from '../named-lists.ts'
import type { Connection } from './connection.ts'
import { createWorkspace, needRow } from './conversations.ts'
import type { SqlValue } from './driver.ts'

interface EditRow {
  readonly number: number
  readonly conversation_id: string | null
  readonly kind: string
  readonly key: string
  readonly body: string
  readonly sources: string | null
  readonly position: number
  readonly created_at: number
  readonly expires_at: number | null
}

export interface EditRequest extends SaveEditOptions {
  readonly workspace: WorkspaceId
  readonly edit: NewEdit
}

export function saveEdit(connection: Connection, request: EditRequest): Edit {
  const { workspace, edit, now } = request
  const conversation =
    edit.conversation === undefined
      ? undefined
      : needRow(connection, { workspace, conversation: edit.conversation })
  const place = {
    workspace: conversation?.workspace ?? createWorkspace(connection, workspace, now),
    conversation: conversation?.number ?? null,
  }
  needSources(connection, place.workspace, edit.sources ?? [])
  if (request.replace === true) deleteEarlier(connection, place, edit)
  const position = request.position ?? conversation?.message_count ?? 0
  const number = insert(connection, place, { ...request, position })
  const row = connection.get<EditRow>(
    'SELECT *, ? AS conversation_id FROM edit WHERE number = ?',
    edit.conversation ?? null,
    number,
  )
  return toEdit(row as EditRow)
}

interface Place {
  readonly workspace: number
  readonly conversation: number | null
}

/** Erased text must not return with an edit. */
function needSources(connection: Connection, workspace: number, sources: readonly MessageId[]): void {
  for (const id of sources) {
    const isThere = connection.get(
      'SELECT 1 FROM message WHERE workspace = ? AND id = ? AND erased_at IS NULL',
      workspace,
      id,
    )
    if (isThere === undefined)
      throw new MemoryError('not-found', `there is no message "${id}", or it was erased`)
  }
}

function deleteEarlier(
  connection: Connection,
  { workspace, conversation }: Place,
  { kind, key }: NewEdit,
): void {
  connection.run(
    'DELETE FROM edit WHERE workspace = ? AND kind = ? AND key = ? AND conversation IS ?',
    workspace,
    kind,
    key,
    conversation,
  )
}

function insert(
  connection: Connection,
  { workspace, conversation }: Place,
  { edit, now, position }: EditRequest & { readonly position: number },
): number {
  const sources = edit.sources ?? []
  return connection.run(
    `INSERT INTO edit (workspace, conversation, kind, key, body, sources, position, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    workspace,
    conversation,
    edit.kind,
    edit.key,
    JSON.stringify(edit.body),
    sources.length === 0 ? null : JSON.stringify(sources),
    position,
    now.getTime(),
    edit.expiresAt?.getTime() ?? null,
  ).rowid
}

export function readEdits(connection: Connection, list: EditList): readonly Edit[] {
  const { sql, values } = listConditions(list)
  return connection
    .all<EditRow>(
      `SELECT e.*, c.id AS conversation_id FROM edit e LEFT JOIN conversation c ON c.number = e.conversation
       WHERE ${sql.join(' AND ')} ORDER BY ${orderOf(list)} LIMIT ?`,
      ...values,
      list.limit ?? -1,
    )
    .map(toEdit)
}

/** The unary plus keeps SQLite from scanning all edits of the workspace if only some are requested. */
const orderOf = ({ conversation, kinds }: EditList): string =>
  conversation === undefined && kinds === undefined ? 'e.number' : '+e.number'

const WORKSPACE = '(SELECT number FROM workspace WHERE id = ?)'
const CONVERSATION = `(SELECT number FROM conversation WHERE workspace = ${WORKSPACE} AND id = ?)`

function listConditions(list: EditList): { sql: readonly string[]; values: readonly SqlValue[] } {
  const { workspace, conversation, kinds } = list
  const sql: string[] = [`e.workspace = ${WORKSPACE}`, `${orderOf(list)} > ?`]
  const values: SqlValue[] = [workspace, list.after ?? 0]
  const add = (condition: string, ...added: readonly SqlValue[]) => {
    sql.push(condition)
    values.push(...added)
  }
  if (conversation === null) add('e.conversation IS NULL')
  else if (conversation !== undefined) add(`e.conversation = ${CONVERSATION}`, workspace, conversation)
  if (kinds !== undefined) add(`e.kind IN (${kinds.map(() => '?').join(', ')})`, ...kinds)
  if (list.key !== undefined) add('e.key = ?', list.key)
  if (list.now !== undefined) add('(e.expires_at IS NULL OR e.expires_at > ?)', list.now.getTime())
  return { sql, values }
}

const NAMED_EDITS = `SELECT s.key + 1 AS at, e.*, c.id AS conversation_id FROM json_each(?) s
  CROSS JOIN workspace w ON w.id = s.value ->> 0
  CROSS JOIN conversation c ON c.workspace = w.number AND c.id = s.value ->> 1
  CROSS JOIN json_each(s.value, '$[3]') k
  CROSS JOIN edit e ON e.workspace = w.number AND e.kind = k.value AND e.conversation = c.number
    AND e.key = s.value ->> 2
  ORDER BY e.number`

/** In one statement, like `readNamedItems`. */
export function readNamedEdits(
  connection: Connection,
  named: readonly NamedEdits[],
): readonly (readonly Edit[])[] {
  const names = named.map(({ workspace, conversation, key, kinds }) => [workspace, conversation, key, kinds])
  const rows = connection.all<EditRow & { readonly at: number }>(NAMED_EDITS, JSON.stringify(names))
  return byKey(named.length, rows).map((own) => own.map(toEdit))
}

export function deleteEdits(connection: Connection, workspace: WorkspaceId, ids: readonly number[]): number {
  return connection.run(
    `DELETE FROM edit WHERE workspace = (SELECT number FROM workspace WHERE id = ?)
     AND number IN (SELECT value FROM json_each(?))`,
    workspace,
    JSON.stringify(ids),
  ).changes
}

/** A fork gets the edits that existed at its last message. */
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

/** Deletes edits that may contain text of a message. */
export function dropEditsOfMessage(connection: Connection, workspace: number, id: string): void {
  connection.run(
    `DELETE FROM edit WHERE workspace = ? AND sources IS NOT NULL
       AND EXISTS (SELECT 1 FROM json_each(edit.sources) WHERE value = ?)`,
    workspace,
    id,
  )
}

/** Deletes edits, of any conversation, that may contain text of this conversation's messages. */
export function dropEditsOfConversation(
  connection: Connection,
  { workspace, number }: { readonly workspace: number; readonly number: number },
): void {
  connection.run(
    `DELETE FROM edit WHERE workspace = ?1 AND sources IS NOT NULL AND EXISTS (
       SELECT 1 FROM json_each(edit.sources) s
       CROSS JOIN message m ON m.workspace = ?1 AND m.id = s.value AND m.conversation = ?2)`,
    workspace,
    number,
  )
}

function toEdit(row: EditRow): Edit {
  return {
    id: row.number,
    kind: row.kind,
    key: row.key,
    body: JSON.parse(row.body),
    sources: row.sources === null ? [] : JSON.parse(row.sources),
    ...(row.conversation_id !== null && { conversation: conversationId(row.conversation_id) }),
    position: row.position,
    createdAt: new Date(row.created_at),
    ...(row.expires_at !== null && { expiresAt: new Date(row.expires_at) }),
  }
}
