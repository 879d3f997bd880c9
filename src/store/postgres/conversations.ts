import type { Conversation, ForkPoint } from '../../domain/conversation.ts'
import { MemoryError } from '../../domain/errors.ts'
import type { WorkspaceId } from '../../domain/ids.ts'
import type { Paginated } from '../../domain/search.ts'
import { byKey } from '../batch.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import { type ConversationRow, toConversation } from '../rows.ts'
import * as workspaces from '../sql/workspaces.ts'
import type { ConversationFields, ConversationKey, ConversationList, NewConversation } from '../store.ts'
import { Conditions } from './conditions.ts'
import { findConversationsByWords } from './conversation-words.ts'
import type { SqlValue } from './driver.ts'
import { execute, type Session } from './session.ts'
import { addEntries, conversationEntry, removeEntries } from './word-index.ts'

export const findWorkspace = (session: Session, id: WorkspaceId): Promise<number | undefined> =>
  execute(session, workspaces.findWorkspace(id))

/** Keeps the row locked until the transaction ends. */
export const createWorkspace = (session: Session, id: WorkspaceId, now: Date): Promise<number> =>
  execute(session, workspaces.createWorkspace(id, now))

const OF_KEY = `SELECT c.* FROM conversation c JOIN workspace w ON w.number = c.workspace WHERE w.id = $1 AND c.id = $2`

export async function findRow(session: Session, key: ConversationKey): Promise<ConversationRow | undefined> {
  return session.get<ConversationRow>(OF_KEY, key.workspace, key.conversation)
}

export async function findConversations(
  session: Session,
  keys: readonly ConversationKey[],
): Promise<readonly (Conversation | undefined)[]> {
  const rows = await session.all<ConversationRow & { at: number }>(
    `SELECT s.at, c.* FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS s (workspace, conversation, at)
     JOIN workspace w ON w.id = s.workspace
     JOIN conversation c ON c.workspace = w.number AND c.id = s.conversation`,
    keys.map(({ workspace }) => workspace),
    keys.map(({ conversation }) => conversation),
  )
  return byKey(keys.length, rows).map(([row]) => row && toConversation(row))
}

/** Like `findRow`, but locks the row until the transaction ends, for callers that change it. */
export async function lockRow(session: Session, key: ConversationKey): Promise<ConversationRow | undefined> {
  return session.get<ConversationRow>(`${OF_KEY} FOR NO KEY UPDATE OF c`, key.workspace, key.conversation)
}

export async function needRow(session: Session, key: ConversationKey): Promise<ConversationRow> {
  return (await findRow(session, key)) ?? refuse(key)
}

export async function needLocked(session: Session, key: ConversationKey): Promise<ConversationRow> {
  return (await lockRow(session, key)) ?? refuse(key)
}

function refuse(key: ConversationKey): never {
  throw new MemoryError('not-found', `there is no conversation "${key.conversation}"`, {
    hint: 'list the conversations to see their ids',
  })
}

export async function createConversation(session: Session, request: NewConversation): Promise<Conversation> {
  return toConversation(await createRow(session, request))
}

/** Returns the existing row or a new one, locked. */
export async function createRow(session: Session, request: NewConversation): Promise<ConversationRow> {
  const found = await lockRow(session, request)
  if (found !== undefined) return found
  const workspace = await createWorkspace(session, request.workspace, request.createdAt)
  const createdAt = request.createdAt.getTime()
  const columns = {
    workspace,
    id: request.conversation,
    forked_from: toForkColumn(request.forkedFrom),
    created_at: createdAt,
    last_used_at: createdAt,
    ...toColumns(request.fields),
  }
  const names = Object.keys(columns)
  const row = await session.get<ConversationRow>(
    `INSERT INTO conversation (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')})
     ON CONFLICT (workspace, id) DO NOTHING RETURNING *`,
    ...Object.values(columns),
  )
  // Another transaction inserted it first.
  if (row === undefined) return createRow(session, request)
  await addEntries(session, { workspace, index: 'conversation' }, [conversationEntry(row)])
  if (request.fields.documents !== undefined) await followDocuments(session, row)
  return row
}

const toForkColumn = (fork: ForkPoint | undefined): string | null => (fork ? JSON.stringify(fork) : null)

/** Writes the given fields and updates the word index. */
export async function changeRow(
  session: Session,
  row: ConversationRow,
  fields: ConversationFields,
): Promise<ConversationRow> {
  const columns = toColumns(fields)
  const names = Object.keys(columns)
  if (names.length === 0) return row
  await session.run(
    `UPDATE conversation SET ${names.map((name, i) => `${name} = $${i + 3}`).join(', ')}
     WHERE workspace = $1 AND number = $2`,
    row.workspace,
    row.number,
    ...Object.values(columns),
  )
  const changed = { ...row, ...columns } as ConversationRow
  if ('title' in columns || 'tags' in columns) {
    const key = { workspace: row.workspace, index: 'conversation' } as const
    await removeEntries(session, key, [conversationEntry(row)])
    await addEntries(session, key, [conversationEntry(changed)])
  }
  if (changed.documents !== row.documents) await followDocuments(session, changed)
  return changed
}

/** Updates the table of attachments from the list. */
async function followDocuments(session: Session, row: ConversationRow): Promise<void> {
  const ids: string[] = JSON.parse(row.documents)
  await session.run(
    'DELETE FROM attachment WHERE workspace = $1 AND conversation = $2',
    row.workspace,
    row.number,
  )
  await session.run(
    `INSERT INTO attachment (workspace, conversation, document_id) SELECT $1, $2, unnest($3::text[]) ON CONFLICT DO NOTHING`,
    row.workspace,
    row.number,
    ids,
  )
}

function toColumns(fields: ConversationFields): Record<string, SqlValue> {
  const columns: Record<string, SqlValue | undefined> = {
    title: fields.title,
    is_title_given: fields.isTitleGiven,
    tags: toJson(fields.tags),
    is_pinned: fields.isPinned,
    archived_at: fields.archivedAt === null ? null : fields.archivedAt?.getTime(),
    is_memory_on: fields.isMemoryOn,
    documents: toJson(fields.documents),
    metadata: toJson(fields.metadata),
  }
  const given = Object.entries(columns).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as Record<string, SqlValue>
}

const toJson = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value))

export async function changeConversation(
  session: Session,
  key: ConversationKey,
  fields: ConversationFields,
): Promise<Conversation> {
  return toConversation(await changeRow(session, await needLocked(session, key), fields))
}

const ARCHIVED = {
  without: 'c.archived_at IS NULL',
  only: 'c.archived_at IS NOT NULL',
  with: 'TRUE',
} as const

export async function listConversations(
  session: Session,
  list: ConversationList,
): Promise<Paginated<Conversation>> {
  const workspace = await findWorkspace(session, list.workspace)
  if (workspace === undefined) return { items: [] }
  const conditions = listConditions(workspace, list)
  if (list.terms !== undefined) {
    const numbers = await findConversationsByWords(session, workspace, list.terms)
    conditions.add((value) => `c.number = ANY(${value}::bigint[])`, numbers)
  }
  const rows = await session.all<ConversationRow>(
    `SELECT c.* FROM conversation c WHERE ${conditions.sql}
     ORDER BY c.last_used_at DESC, c.number DESC LIMIT ${list.limit + 1}`,
    ...conditions.values,
  )
  const items = rows.slice(0, list.limit)
  const last = items.at(-1)
  const hasMore = rows.length > list.limit && last !== undefined
  return {
    items: items.map(toConversation),
    ...(hasMore && { next: writeCursor([last.last_used_at, last.number]) }),
  }
}

function listConditions(workspace: number, list: ConversationList): Conditions {
  const conditions = new Conditions()
  conditions.add((value) => `c.workspace = ${value}`, workspace)
  conditions.add(() => ARCHIVED[list.archived])
  if (list.cursor !== undefined) {
    const [lastUsedAt = 0, number = 0] = readCursor(list.cursor, 2)
    conditions.add(
      (one, two) => `(c.last_used_at, c.number) < (${one}::bigint, ${two}::bigint)`,
      lastUsedAt,
      number,
    )
  }
  // JSON.stringify wrote the list, so a quote after a comma always begins a tag.
  if (list.tag !== undefined) {
    conditions.add(
      (value) => `position(${value} IN ',' || substr(c.tags, 2)) > 0`,
      `,${JSON.stringify(list.tag)}`,
    )
  }
  if (list.isPinned !== undefined) conditions.add((value) => `c.is_pinned = ${value}`, list.isPinned)
  if (list.unusedSince !== undefined) {
    conditions.add(
      (value) =>
        `c.last_used_at < ${value}::bigint AND NOT EXISTS (SELECT 1 FROM page p
           WHERE p.workspace = c.workspace AND p.id = c.id AND p.last_used_at >= ${value}::bigint)`,
      list.unusedSince.getTime(),
    )
  }
  return conditions
}
