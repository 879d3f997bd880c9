import type { Conversation } from '../../domain/conversation.ts'
import { MemoryError } from '../../domain/errors.ts'
import type { Paginated } from '../../domain/search.ts'
import { conversationCommit } from '../commits.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import { type ConversationRow, toConversation } from '../rows.ts'
import type {
  ConversationFields,
  ConversationKey,
  ConversationList,
  NewConversation,
  Store,
} from '../store.ts'
import {
  all,
  assignments,
  Conditions,
  callEngine,
  type Db,
  get,
  insertInto,
  run,
  type SqlAccess,
  type SqlParameter,
} from './statement.ts'
import { createWorkspace, findWorkspace } from './workspaces.ts'

export function toConversationStore({
  snapshot,
  write,
}: SqlAccess): Pick<Store, 'changeConversation' | 'listConversations'> {
  return {
    changeConversation: (key, fields) =>
      write(() => changeConversation(key, fields), conversationCommit('changeConversation', key)),
    listConversations: (list) => snapshot(() => listConversations(list)),
  }
}

const OF_KEY =
  'SELECT c.* FROM workspace w JOIN conversation c ON c.workspace = w.number WHERE w.id = $1 AND c.id = $2'

export const findRow = (key: ConversationKey): Db<ConversationRow | undefined> =>
  get<ConversationRow>(OF_KEY, key.workspace, key.conversation)

/** Locks the row until the end of the transaction, for callers that change it. */
export const lockRow = (key: ConversationKey): Db<ConversationRow | undefined> =>
  get<ConversationRow>(`${OF_KEY} FOR NO KEY UPDATE OF c`, key.workspace, key.conversation)

export function* needRow(key: ConversationKey): Db<ConversationRow> {
  return (yield* findRow(key)) ?? refuse(key)
}

/** Like `lockRow`, but the conversation must exist. */
export function* needLocked(key: ConversationKey): Db<ConversationRow> {
  return (yield* lockRow(key)) ?? refuse(key)
}

function refuse(key: ConversationKey): never {
  throw new MemoryError('not-found', `there is no conversation "${key.conversation}"`, {
    hint: 'list the conversations to see their ids',
  })
}

export function* findConversation(key: ConversationKey): Db<Conversation | undefined> {
  const row = yield* findRow(key)
  return row && toConversation(row)
}

export function* createConversation(request: NewConversation): Db<Conversation> {
  return toConversation(yield* createRow(request))
}

/** Returns the existing row or a new one, locked. */
export function* createRow(request: NewConversation): Db<ConversationRow> {
  const found = yield* lockRow(request)
  if (found !== undefined) return found
  const createdAt = request.createdAt.getTime()
  const columns = {
    workspace: yield* createWorkspace(request.workspace, request.createdAt),
    id: request.conversation,
    forked_from: request.forkedFrom === undefined ? null : JSON.stringify(request.forkedFrom),
    created_at: createdAt,
    last_used_at: createdAt,
    ...toColumns(request.fields),
  }
  const row = yield* get<ConversationRow>(
    `${insertInto('conversation', columns)} ON CONFLICT (workspace, id) DO NOTHING RETURNING *`,
    ...Object.values(columns),
  )
  // Another transaction inserted it first.
  if (row === undefined) return yield* createRow(request)
  yield* callEngine('indexConversation', { after: row })
  if (request.fields.documents !== undefined) yield* followDocuments(row)
  return row
}

/** Sets a made title, unless a caller gave one. */
export function* renewTitle(key: ConversationKey, title: string): Db<void> {
  const row = yield* needLocked(key)
  if (!row.is_title_given && row.title !== title) yield* changeRow(row, { title })
}

/** Writes the given fields and updates the word index. */
export function* changeRow(row: ConversationRow, fields: ConversationFields): Db<ConversationRow> {
  const columns = toColumns(fields)
  if (Object.keys(columns).length === 0) return row
  yield* run(
    `UPDATE conversation SET ${assignments(columns, 3)} WHERE workspace = $1 AND number = $2`,
    row.workspace,
    row.number,
    ...Object.values(columns),
  )
  const changed = { ...row, ...columns } as ConversationRow
  if ('title' in columns || 'tags' in columns)
    yield* callEngine('indexConversation', { before: row, after: changed })
  if (changed.documents !== row.documents) yield* followDocuments(changed)
  return changed
}

/** Updates the table of attachments from the list. */
function* followDocuments({ workspace, number, documents }: ConversationRow): Db<void> {
  yield* run('DELETE FROM attachment WHERE workspace = $1 AND conversation = $2', workspace, number)
  yield* run(
    `INSERT INTO attachment (workspace, conversation, document_id)
     SELECT $1, $2, s.value FROM unnest($3::text[]) AS s (value) WHERE TRUE ON CONFLICT DO NOTHING`,
    workspace,
    number,
    JSON.parse(documents) as string[],
  )
}

function toColumns(fields: ConversationFields): Record<string, SqlParameter> {
  const columns: Record<string, SqlParameter | undefined> = {
    title: fields.title,
    is_title_given: fields.isTitleGiven,
    tags: toJson(fields.tags),
    is_pinned: fields.isPinned,
    archived_at: fields.archivedAt === null ? null : fields.archivedAt?.getTime(),
    is_memory_on: fields.isMemoryOn,
    documents: toJson(fields.documents),
    metadata: toJson(fields.metadata),
  }
  const set = Object.entries(columns).filter(([, value]) => value !== undefined)
  return Object.fromEntries(set) as Record<string, SqlParameter>
}

const toJson = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value))

function* changeConversation(key: ConversationKey, fields: ConversationFields): Db<Conversation> {
  return toConversation(yield* changeRow(yield* needLocked(key), fields))
}

const ARCHIVED = {
  without: 'c.archived_at IS NULL',
  only: 'c.archived_at IS NOT NULL',
  with: 'TRUE',
} as const

function* listConversations(list: ConversationList): Db<Paginated<Conversation>> {
  const workspace = yield* findWorkspace(list.workspace)
  if (workspace === undefined) return { items: [] }
  const conditions = toConditions(workspace, list)
  if (list.terms !== undefined) {
    const { sql, value } = yield* callEngine('findConversations', workspace, list.terms)
    conditions.add(sql, value)
  }
  const rows = yield* all<ConversationRow>(
    `SELECT c.* FROM conversation c WHERE ${conditions.sql}
     ORDER BY c.last_used_at DESC, c.number DESC LIMIT $${conditions.values.length + 1}`,
    ...conditions.values,
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

function toConditions(workspace: number, list: ConversationList): Conditions {
  const conditions = new Conditions()
  conditions.add((name) => `c.workspace = ${name}`, workspace)
  conditions.add(() => ARCHIVED[list.archived])
  if (list.cursor !== undefined) {
    const [lastUsedAt = 0, number = 0] = readCursor(list.cursor, 2)
    conditions.add(
      (one, other) => `(c.last_used_at, c.number) < (${one}::bigint, ${other}::bigint)`,
      lastUsedAt,
      number,
    )
  }
  // JSON.stringify wrote the list, so a quote after a comma always begins a tag.
  if (list.tag !== undefined)
    conditions.add((name) => `strpos(',' || substr(c.tags, 2), ${name}) > 0`, `,${JSON.stringify(list.tag)}`)
  if (list.isPinned !== undefined) conditions.add((name) => `c.is_pinned = ${name}`, list.isPinned)
  if (list.unusedSince !== undefined)
    conditions.add(
      (since, time) =>
        `c.last_used_at < ${since}::bigint AND NOT EXISTS (SELECT 1 FROM page p
           WHERE p.workspace = c.workspace AND p.id = c.id AND p.last_used_at >= ${time}::timestamptz)`,
      list.unusedSince.getTime(),
      list.unusedSince,
    )
  return conditions
}
