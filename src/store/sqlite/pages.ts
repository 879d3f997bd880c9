import { MemoryError } from '../../domain/errors.ts'
import type { WorkspaceId } from '../../domain/ids.ts'
import type { PageState } from '../../domain/page.ts'
import type { Paginated } from '../../domain/search.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import { type PageRow, toPageColumns, toPageState } from '../page-rows.ts'
import type { PageFields, PageKey, PageList, PageSave } from '../page-store.ts'
import type { Connection } from './connection.ts'
import { createWorkspace, findWorkspace } from './conversations.ts'

export function findPageRow(connection: Connection, key: PageKey): PageRow | undefined {
  return connection.get<PageRow>(
    'SELECT p.* FROM page p JOIN workspace w ON w.number = p.workspace WHERE w.id = ? AND p.id = ?',
    key.workspace,
    key.page,
  )
}

export function needPageRow(connection: Connection, key: PageKey): PageRow {
  const row = findPageRow(connection, key)
  if (row !== undefined) return row
  throw new MemoryError('not-found', `there is no page "${key.page}"`, {
    hint: 'list the pages to see their ids',
  })
}

export function findPage(connection: Connection, key: PageKey): PageState | undefined {
  const row = findPageRow(connection, key)
  return row && toPageState(row)
}

export function savePage(connection: Connection, { change, ...key }: PageSave): PageState {
  const row = findPageRow(connection, key)
  const page = row && toPageState(row)
  const fields = change(page)
  if (row === undefined) return toPageState(createPage(connection, key, fields))
  if (fields === page) return page
  const columns = toPageColumns(fields)
  const names = Object.keys(columns)
  const changed = connection.get<PageRow>(
    `UPDATE page SET ${names.map((name) => `${name} = ?`).join(', ')}, last_used_at = max(last_used_at, ?)
     WHERE number = ? RETURNING *`,
    ...Object.values(columns),
    fields.updatedAt.getTime(),
    row.number,
  )
  return toPageState(changed as PageRow)
}

export function createPage(connection: Connection, key: PageKey, fields: PageFields): PageRow {
  const columns = {
    workspace: createWorkspace(connection, key.workspace, fields.createdAt),
    id: key.page,
    ...toPageColumns(fields),
    last_used_at: fields.updatedAt.getTime(),
  }
  const names = Object.keys(columns)
  return connection.get<PageRow>(
    `INSERT INTO page (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) RETURNING *`,
    ...Object.values(columns),
  ) as PageRow
}

export function listPages(connection: Connection, list: PageList): Paginated<PageState> {
  const workspace = findWorkspace(connection, list.workspace)
  if (workspace === undefined) return { items: [] }
  const [lastUsedAt, number] =
    list.cursor === undefined
      ? [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
      : readCursor(list.cursor, 2)
  const rows = connection.all<PageRow>(
    `SELECT * FROM page WHERE workspace = ? AND (last_used_at, number) < (?, ?)
     ORDER BY last_used_at DESC, number DESC LIMIT ?`,
    workspace,
    lastUsedAt as number,
    number as number,
    list.limit + 1,
  )
  const items = rows.slice(0, list.limit)
  const last = items.at(-1)
  const hasMore = rows.length > list.limit && last !== undefined
  return {
    items: items.map(toPageState),
    ...(hasMore && { next: writeCursor([last.last_used_at, last.number]) }),
  }
}

export function forgetDocument(
  connection: Connection,
  workspace: WorkspaceId,
  { documentId, now }: { documentId: string; now: Date },
): number {
  const { changes } = connection.run(
    `UPDATE page SET active_file = NULL, active_file_name = NULL, updated_at = ?1, last_used_at = max(last_used_at, ?1)
     WHERE workspace = (SELECT number FROM workspace WHERE id = ?2) AND active_file = ?3`,
    now.getTime(),
    workspace,
    documentId,
  )
  return changes
}
