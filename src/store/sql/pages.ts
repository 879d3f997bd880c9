import { MemoryError } from '../../domain/errors.ts'
import type { WorkspaceId } from '../../domain/ids.ts'
import type { PageState } from '../../domain/page.ts'
import type { Paginated } from '../../domain/search.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import { type PageRow, toPageColumns, toPageState } from '../page-rows.ts'
import type { PageFields, PageKey, PageList, PageSave } from '../page-store.ts'
import { all, assignments, Conditions, type Db, get, insertInto, run } from './statement.ts'
import { createWorkspace, findWorkspace } from './workspaces.ts'

const PAGE = 'SELECT p.* FROM workspace w JOIN page p ON p.workspace = w.number WHERE w.id = $1 AND p.id = $2'

export function findPageRow(key: PageKey): Db<PageRow | undefined> {
  return get<PageRow>(PAGE, key.workspace, key.page)
}

/** Locks the row until the end of the transaction. */
export function lockPageRow(key: PageKey): Db<PageRow | undefined> {
  return get<PageRow>(`${PAGE} FOR NO KEY UPDATE OF p`, key.workspace, key.page)
}

export function* needPageRow(key: PageKey): Db<PageRow> {
  const row = yield* lockPageRow(key)
  if (row !== undefined) return row
  throw new MemoryError('not-found', `there is no page "${key.page}"`, {
    hint: 'list the pages to see their ids',
  })
}

export function* findPage(key: PageKey): Db<PageState | undefined> {
  const row = yield* findPageRow(key)
  return row && toPageState(row)
}

export function* savePage({ change, ...key }: PageSave): Db<PageState> {
  const row = yield* lockPageRow(key)
  const page = row && toPageState(row)
  const fields = change(page)
  if (row === undefined) return toPageState(yield* insertPage(key, fields))
  if (fields === page) return page
  const columns = toPageColumns(fields)
  const changed = yield* get<PageRow>(
    `UPDATE page SET ${assignments(columns, 4)}, last_used_at = greatest(last_used_at, $3)
     WHERE workspace = $1 AND number = $2 RETURNING *`,
    row.workspace,
    row.number,
    fields.updatedAt,
    ...Object.values(columns),
  )
  return toPageState(changed as PageRow)
}

/**
 * If another transaction inserted the page first, the unique key rejects this insert, and the transaction is
 * retried.
 */
function* insertPage(key: PageKey, fields: PageFields): Db<PageRow> {
  const columns = {
    workspace: yield* createWorkspace(key.workspace, fields.createdAt),
    id: key.page,
    ...toPageColumns(fields),
    last_used_at: fields.updatedAt,
  }
  const row = yield* get<PageRow>(`${insertInto('page', columns)} RETURNING *`, ...Object.values(columns))
  return row as PageRow
}

/** The locked row, created if it is missing. */
export function* createPage(key: PageKey, fields: PageFields): Db<PageRow> {
  return (yield* lockPageRow(key)) ?? (yield* insertPage(key, fields))
}

export function* listPages(list: PageList): Db<Paginated<PageState>> {
  const workspace = yield* findWorkspace(list.workspace)
  if (workspace === undefined) return { items: [] }
  const conditions = new Conditions()
  conditions.add((name) => `workspace = ${name}`, workspace)
  if (list.cursor !== undefined) {
    const [lastUsedAt = 0, number = 0] = readCursor(list.cursor, 2)
    conditions.add(
      (one, other) => `(last_used_at, number) < (${one}::timestamptz, ${other}::bigint)`,
      new Date(lastUsedAt),
      number,
    )
  }
  const rows = yield* all<PageRow>(
    `SELECT * FROM page WHERE ${conditions.sql}
     ORDER BY last_used_at DESC, number DESC LIMIT $${conditions.values.length + 1}`,
    ...conditions.values,
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

/** Returns how many pages had it as their active file. */
export function forgetDocument(
  workspace: WorkspaceId,
  { documentId, now }: { documentId: string; now: Date },
): Db<number> {
  return run(
    `UPDATE page SET active_file = NULL, active_file_name = NULL, active_file_metadata = NULL, updated_at = $2, last_used_at = greatest(last_used_at, $2)
     WHERE workspace = (SELECT number FROM workspace WHERE id = $1) AND active_file = $3`,
    workspace,
    now,
    documentId,
  )
}
