import { MemoryError } from '../../domain/errors.ts'
import { conversationId, type MessageId, type WorkspaceId } from '../../domain/ids.ts'
import { deletedEditsCommit, knowledgeCommit } from '../commits.ts'
import type { Edit, EditList, EditStore, NewEdit, SaveEditOptions } from '../edits.ts'
import { needLocked } from './conversations.ts'
import { all, Conditions, type Db, get, insertInto, lock, run, type SqlAccess } from './statement.ts'
import { createWorkspace } from './workspaces.ts'

export function toEditStore({ write }: SqlAccess): Pick<EditStore, 'saveEdit' | 'deleteEdits'> {
  return {
    saveEdit: (workspace, edit, options) =>
      write(() => saveEdit(workspace, edit, options), knowledgeCommit('saveEdit', workspace)),
    deleteEdits: (workspace, ids) => write(() => deleteEdits(workspace, ids), deletedEditsCommit(workspace)),
  }
}

export interface EditRow {
  readonly number: number
  readonly conversation_id: string | null
  readonly kind: string
  readonly key: string
  readonly body: string
  /** A list, or JSON. */
  readonly sources: readonly MessageId[] | string | null
  readonly position: number
  readonly created_at: number
  readonly expires_at: number | null
}

interface Target {
  readonly workspace: number
  readonly conversation: number | null
}

function* saveEdit(workspace: WorkspaceId, edit: NewEdit, options: SaveEditOptions): Db<Edit> {
  const conversation =
    edit.conversation === undefined
      ? undefined
      : yield* needLocked({ workspace, conversation: edit.conversation })
  const target = {
    workspace: conversation?.workspace ?? (yield* createWorkspace(workspace, options.now)),
    conversation: conversation?.number ?? null,
  }
  yield* needSources(target.workspace, edit.sources ?? [])
  yield* noteEdit(target.workspace)
  if (options.replace === true) yield* deleteEarlier(target, edit)
  const position = options.position ?? conversation?.message_count ?? 0
  const row = yield* insert(target, edit, { ...options, position })
  return toEdit({ ...row, conversation_id: edit.conversation ?? null })
}

/**
 * An edit must not bring back text that was erased in the meantime, and its sources must not be erased before it is
 * written.
 */
function* needSources(workspace: number, sources: readonly MessageId[]): Db<void> {
  if (sources.length === 0) return
  const rows = yield* all<{ id: string }>(
    'SELECT id FROM message WHERE workspace = $1 AND id = ANY($2::text[]) AND erased_at IS NULL FOR SHARE',
    workspace,
    sources,
  )
  const there = new Set(rows.map(({ id }) => id))
  const missing = sources.find((id) => !there.has(id))
  if (missing !== undefined)
    throw new MemoryError('not-found', `there is no message "${missing}", or it was erased`)
}

/** Counts an edit and locks the counter until the commit, so that ids become visible in order. */
function* noteEdit(workspace: number): Db<void> {
  yield* lock(
    `INSERT INTO departure (workspace, kind, last) VALUES ($1, 'edit', 1)
     ON CONFLICT (workspace, kind) DO UPDATE SET last = departure.last + 1`,
    workspace,
  )
}

function* deleteEarlier({ workspace, conversation }: Target, { kind, key }: NewEdit): Db<void> {
  yield* run(
    `DELETE FROM edit WHERE workspace = $1 AND kind = $2 AND key = $3
       AND conversation IS NOT DISTINCT FROM $4::bigint`,
    workspace,
    kind,
    key,
    conversation,
  )
}

function* insert(
  target: Target,
  edit: NewEdit,
  { now, position }: SaveEditOptions & { readonly position: number },
): Db<EditRow> {
  const sources = edit.sources ?? []
  const columns = {
    ...target,
    kind: edit.kind,
    key: edit.key,
    body: JSON.stringify(edit.body),
    sources: sources.length === 0 ? null : sources,
    position,
    created_at: now.getTime(),
    expires_at: edit.expiresAt?.getTime() ?? null,
  }
  const row = yield* get<EditRow>(`${insertInto('edit', columns)} RETURNING *`, ...Object.values(columns))
  return row as EditRow
}

export function* readEdits(list: EditList): Db<readonly Edit[]> {
  const conditions = toConditions(list)
  const limit = list.limit === undefined ? [] : [list.limit]
  const rows = yield* all<EditRow>(
    `SELECT e.*, c.id AS conversation_id FROM workspace w ${typeof list.conversation === 'string' ? OF_ONE : OF_ALL}
     WHERE ${conditions.sql} ORDER BY ${orderOf(list)}
     ${limit.length === 0 ? '' : `LIMIT $${conditions.values.length + 1}`}`,
    ...conditions.values,
    ...limit,
  )
  return rows.map(toEdit)
}

const OF_ONE = `JOIN conversation c ON c.workspace = w.number
  JOIN edit e ON e.workspace = c.workspace AND e.conversation = c.number`
const OF_ALL = `JOIN edit e ON e.workspace = w.number
  LEFT JOIN conversation c ON c.workspace = e.workspace AND c.number = e.conversation`

/** The sum keeps SQLite from scanning all edits of the workspace in order if only some are requested. */
const orderOf = ({ conversation, kinds }: EditList): string =>
  conversation === undefined && kinds === undefined ? 'e.number' : 'e.number + 0'

function toConditions(list: EditList): Conditions {
  const { conversation, kinds, key } = list
  const conditions = new Conditions()
  conditions.add((name) => `w.id = ${name}`, list.workspace)
  conditions.add((name) => `${orderOf(list)} > ${name}`, list.after ?? 0)
  if (conversation === null) conditions.add(() => 'e.conversation IS NULL')
  else if (conversation !== undefined) conditions.add((name) => `c.id = ${name}`, conversation)
  if (kinds !== undefined) conditions.add((name) => `e.kind = ANY(${name}::text[])`, kinds)
  if (key !== undefined) conditions.add((name) => `e.key = ${name}`, key)
  if (list.now !== undefined)
    conditions.add((name) => `(e.expires_at IS NULL OR e.expires_at > ${name}::bigint)`, list.now.getTime())
  return conditions
}

function* deleteEdits(workspace: WorkspaceId, ids: readonly number[]): Db<number> {
  return yield* run(
    `DELETE FROM edit WHERE workspace = (SELECT number FROM workspace WHERE id = $1)
       AND number = ANY($2::bigint[])`,
    workspace,
    ids,
  )
}

/** A fork gets the edits that existed at its last message. */
export function* copyEdits(
  { workspace, number }: { readonly workspace: number; readonly number: number },
  { into, upTo }: { readonly into: number; readonly upTo: number },
): Db<void> {
  yield* noteEdit(workspace)
  yield* run(
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
export function* dropEditsOfMessage(workspace: number, id: string): Db<void> {
  yield* run('DELETE FROM edit WHERE workspace = $1 AND $2 = ANY(edit.sources)', workspace, id)
}

/** Deletes edits, of any conversation, that may contain text of this conversation's messages. */
export function* dropEditsOfConversation({
  workspace,
  number,
}: {
  readonly workspace: number
  readonly number: number
}): Db<void> {
  yield* run(
    `DELETE FROM edit WHERE workspace = $1 AND sources IS NOT NULL AND EXISTS (SELECT 1 FROM message m
       WHERE m.workspace = $1 AND m.id = ANY(edit.sources) AND m.conversation = $2)`,
    workspace,
    number,
  )
}

export function toEdit(row: EditRow): Edit {
  const { sources } = row
  return {
    id: row.number,
    kind: row.kind,
    key: row.key,
    body: JSON.parse(row.body),
    sources: typeof sources === 'string' ? JSON.parse(sources) : (sources ?? []),
    ...(row.conversation_id !== null && { conversation: conversationId(row.conversation_id) }),
    position: row.position,
    createdAt: new Date(row.created_at),
    ...(row.expires_at !== null && { expiresAt: new Date(row.expires_at) }),
  }
}
