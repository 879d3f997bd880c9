import { MemoryError } from '../../domain/errors.ts'
import { conversationId, type MessageId, type WorkspaceId } from '../../domain/ids.ts'
import { byKey } from '../batch.ts'
import type { Edit, EditList, NewEdit, SaveEditOptions } from '../edits.ts'
import type { NamedEdits } from '../named-lists.ts'
import type { ConversationRow } from '../rows.ts'
import { Conditions } from './conditions.ts'
import { createWorkspace, needLocked } from './conversations.ts'
import { noteEdit } from './deletion-counters.ts'
import type { Session } from './session.ts'

interface EditRow {
  readonly number: number
  readonly conversation_id: string | null
  readonly kind: string
  readonly key: string
  readonly body: string
  readonly sources: readonly MessageId[] | null
  readonly position: number
  readonly created_at: number
  readonly expires_at: number | null
}

export interface EditRequest extends SaveEditOptions {
  readonly workspace: WorkspaceId
  readonly edit: NewEdit
}

interface Target {
  readonly workspace: number
  readonly conversation: number | null
}

export async function saveEdit(session: Session, request: EditRequest): Promise<Edit> {
  const { workspace, edit, now } = request
  const conversation =
    edit.conversation === undefined
      ? undefined
      : await needLocked(session, { workspace, conversation: edit.conversation })
  const target = {
    workspace: conversation?.workspace ?? (await createWorkspace(session, workspace, now)),
    conversation: conversation?.number ?? null,
  }
  await needSources(session, target.workspace, edit.sources ?? [])
  // Locked until the commit, so that ids become visible in order.
  await noteEdit(session, target.workspace)
  if (request.replace === true) await deleteEarlier(session, target, edit)
  const position = request.position ?? conversation?.message_count ?? 0
  const row = await insert(session, target, { ...request, position })
  return toEdit({ ...row, conversation_id: edit.conversation ?? null })
}

/**
 * An edit must not bring back text that was erased in the meantime, and its sources must not be erased before it is
 * written.
 */
async function needSources(
  session: Session,
  workspace: number,
  sources: readonly MessageId[],
): Promise<void> {
  if (sources.length === 0) return
  const rows = await session.all<{ id: string }>(
    `SELECT id FROM message WHERE workspace = $1 AND id = ANY($2::text[]) AND erased_at IS NULL FOR SHARE`,
    workspace,
    sources,
  )
  const there = new Set(rows.map(({ id }) => id))
  const missing = sources.find((id) => !there.has(id))
  if (missing !== undefined)
    throw new MemoryError('not-found', `there is no message "${missing}", or it was erased`)
}

async function deleteEarlier(
  session: Session,
  { workspace, conversation }: Target,
  { kind, key }: NewEdit,
): Promise<void> {
  await session.run(
    `DELETE FROM edit WHERE workspace = $1 AND kind = $2 AND key = $3 AND conversation IS NOT DISTINCT FROM $4::bigint`,
    workspace,
    kind,
    key,
    conversation,
  )
}

async function insert(
  session: Session,
  { workspace, conversation }: Target,
  { edit, now, position }: EditRequest & { readonly position: number },
): Promise<EditRow> {
  const sources = edit.sources ?? []
  const row = await session.get<EditRow>(
    `INSERT INTO edit (workspace, conversation, kind, key, body, sources, position, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING *`,
    workspace,
    conversation,
    edit.kind,
    edit.key,
    JSON.stringify(edit.body),
    sources.length === 0 ? null : sources,
    position,
    now.getTime(),
    edit.expiresAt?.getTime() ?? null,
  )
  return row as EditRow
}

export async function readNamedEdits(
  session: Session,
  named: readonly NamedEdits[],
): Promise<readonly (readonly Edit[])[]> {
  const rows = await session.all<EditRow & { at: number }>(
    `SELECT s.at, e.*, c.id AS conversation_id FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY
       AS s (workspace, conversation, key, at)
     JOIN workspace w ON w.id = s.workspace
     JOIN conversation c ON c.workspace = w.number AND c.id = s.conversation
     JOIN edit e ON e.workspace = c.workspace AND e.conversation = c.number AND e.key = s.key
       AND e.kind = ANY($4::text[]) ORDER BY e.number`,
    named.map(({ workspace }) => workspace),
    named.map(({ conversation }) => conversation),
    named.map(({ key }) => key),
    [...new Set(named.flatMap(({ kinds }) => kinds))],
  )
  return byKey(named.length, rows).map((own, i) =>
    own.filter(({ kind }) => (named[i] as NamedEdits).kinds.includes(kind)).map(toEdit),
  )
}

export async function readEdits(session: Session, list: EditList): Promise<readonly Edit[]> {
  const conditions = listConditions(list)
  const rows = await session.all<EditRow>(
    `SELECT e.*, c.id AS conversation_id FROM workspace w JOIN edit e ON e.workspace = w.number
     LEFT JOIN conversation c ON c.workspace = e.workspace AND c.number = e.conversation
     WHERE ${conditions.sql} ORDER BY e.number ${list.limit === undefined ? '' : `LIMIT ${list.limit}`}`,
    ...conditions.values,
  )
  return rows.map(toEdit)
}

function listConditions(list: EditList): Conditions {
  const conditions = new Conditions()
  conditions.add((value) => `w.id = ${value}`, list.workspace)
  conditions.add((value) => `e.number > ${value}`, list.after ?? 0)
  if (list.conversation === null) conditions.add(() => 'e.conversation IS NULL')
  else if (list.conversation !== undefined) conditions.add((value) => `c.id = ${value}`, list.conversation)
  if (list.kinds !== undefined) conditions.add((value) => `e.kind = ANY(${value}::text[])`, list.kinds)
  if (list.key !== undefined) conditions.add((value) => `e.key = ${value}`, list.key)
  if (list.now !== undefined) {
    const now = list.now.getTime()
    conditions.add((value) => `(e.expires_at IS NULL OR e.expires_at > ${value}::bigint)`, now)
  }
  return conditions
}

export async function deleteEdits(
  session: Session,
  workspace: WorkspaceId,
  ids: readonly number[],
): Promise<number> {
  return session.run(
    `DELETE FROM edit WHERE workspace = (SELECT number FROM workspace WHERE id = $1) AND number = ANY($2::bigint[])`,
    workspace,
    ids,
  )
}

/** A fork copies the memory as of its last message: the edits about the messages that it contains. */
export async function copyEdits(
  session: Session,
  { workspace, number }: ConversationRow,
  { into, upTo }: { readonly into: number; readonly upTo: number },
): Promise<void> {
  await noteEdit(session, workspace)
  await session.run(
    `INSERT INTO edit (workspace, conversation, kind, key, body, sources, position, created_at, expires_at)
     SELECT workspace, $3, kind, key, body, sources, position, created_at, expires_at FROM edit
     WHERE workspace = $1 AND conversation = $2 AND position <= $4 ORDER BY number`,
    workspace,
    number,
    into,
    upTo,
  )
}

/** Deletes edits that may contain text of a message. */
export async function dropEditsOfMessage(session: Session, workspace: number, id: string): Promise<void> {
  await session.run('DELETE FROM edit WHERE workspace = $1 AND sources @> ARRAY[$2::text]', workspace, id)
}

/** Deletes edits that may contain text of a conversation, wherever they are stored. */
export async function dropEditsOfConversation(
  session: Session,
  { workspace, number }: { readonly workspace: number; readonly number: number },
): Promise<void> {
  await session.run(
    `DELETE FROM edit e WHERE e.workspace = $1 AND e.sources IS NOT NULL AND EXISTS (SELECT 1 FROM message m
       WHERE m.workspace = $1 AND m.id = ANY(e.sources) AND m.conversation = $2)`,
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
    sources: row.sources ?? [],
    ...(row.conversation_id !== null && { conversation: conversationId(row.conversation_id) }),
    position: row.position,
    createdAt: new Date(row.created_at),
    ...(row.expires_at !== null && { expiresAt: new Date(row.expires_at) }),
  }
}
