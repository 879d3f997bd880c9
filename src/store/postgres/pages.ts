import { MemoryError } from '../../domain/errors.ts'
import type { WorkspaceId } from '../../domain/ids.ts'
import type { PageState } from '../../domain/page.ts'
import type { Paginated } from '../../domain/search.ts'
import { byKey } from '../batch.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import { type PageRow, toPageColumns, toPageState } from '../page-rows.ts'
import type { PageFields, PageKey, PageList, PageSave } from '../page-store.ts'
import { createWorkspace, findWorkspace } from './conversations.ts'
import type { Session } from './session.ts'

const OF_KEY =
  'SELECT p.* FROM page p JOIN workspace w ON w.number = p.workspace WHERE w.id = $1 AND p.id = $2'

export async function findPageRow(session: Session, key: PageKey): Promise<PageRow | undefined> {
  return session.get<PageRow>(OF_KEY, key.workspace, key.page)
}

/** Until the transaction is over nobody else changes it. */
export async function lockPageRow(session: Session, key: PageKey): Promise<PageRow | undefined> {
  return session.get<PageRow>(`${OF_KEY} FOR NO KEY UPDATE OF p`, key.workspace, key.page)
}

export async function needPageRow(session: Session, key: PageKey): Promise<PageRow> {
  const row = await lockPageRow(session, key)
  if (row !== undefined) return row
  throw new MemoryError('not-found', `there is no page "${key.page}"`, {
    hint: 'list the pages to see their ids',
  })
}

export async function findPages(
  session: Session,
  keys: readonly PageKey[],
): Promise<readonly (PageState | undefined)[]> {
  const rows = await session.all<PageRow & { at: number }>(
    `SELECT s.at, p.* FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS s (workspace, page, at)
     JOIN workspace w ON w.id = s.workspace JOIN page p ON p.workspace = w.number AND p.id = s.page`,
    keys.map(({ workspace }) => workspace),
    keys.map(({ page }) => page),
  )
  return byKey(keys.length, rows).map(([row]) => row && toPageState(row))
}

export async function savePage(session: Session, { change, ...key }: PageSave): Promise<PageState> {
  const row = await lockPageRow(session, key)
  const page = row && toPageState(row)
  const fields = change(page)
  if (row === undefined) return toPageState(await insertPage(session, key, fields))
  if (fields === page) return page
  const columns = toPageColumns(fields)
  const names = Object.keys(columns)
  const changed = await session.get<PageRow>(
    `UPDATE page SET ${names.map((name, i) => `${name} = $${i + 4}`).join(', ')}, last_used_at = greatest(last_used_at, $3)
     WHERE workspace = $1 AND number = $2 RETURNING *`,
    row.workspace,
    row.number,
    fields.updatedAt.getTime(),
    ...Object.values(columns),
  )
  return toPageState(changed as PageRow)
}

/** Where somebody else was faster, the key refuses it, and the transaction is run again. */
async function insertPage(session: Session, key: PageKey, fields: PageFields): Promise<PageRow> {
  const columns = {
    workspace: await createWorkspace(session, key.workspace, fields.createdAt),
    id: key.page,
    ...toPageColumns(fields),
    last_used_at: fields.updatedAt.getTime(),
  }
  const names = Object.keys(columns)
  return (await session.get<PageRow>(
    `INSERT INTO page (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')}) RETURNING *`,
    ...Object.values(columns),
  )) as PageRow
}

/** The row that is there, or a new one; locked. */
export async function createPage(session: Session, key: PageKey, fields: PageFields): Promise<PageRow> {
  return (await lockPageRow(session, key)) ?? insertPage(session, key, fields)
}

export async function listPages(session: Session, list: PageList): Promise<Paginated<PageState>> {
  const workspace = await findWorkspace(session, list.workspace)
  if (workspace === undefined) return { items: [] }
  const [lastUsedAt = 0, number = 0] =
    list.cursor === undefined
      ? [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
      : readCursor(list.cursor, 2)
  const rows = await session.all<PageRow>(
    `SELECT * FROM page WHERE workspace = $1 AND (last_used_at, number) < ($2::bigint, $3::bigint)
     ORDER BY last_used_at DESC, number DESC LIMIT $4`,
    workspace,
    lastUsedAt,
    number,
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

export async function forgetDocument(
  session: Session,
  workspace: WorkspaceId,
  { documentId, now }: { documentId: string; now: Date },
): Promise<number> {
  return session.run(
    `UPDATE page SET active_file = NULL, active_file_name = NULL, updated_at = $2, last_used_at = greatest(last_used_at, $2)
     WHERE workspace = (SELECT number FROM workspace WHERE id = $1) AND active_file = $3`,
    workspace,
    now.getTime(),
    documentId,
  )
}
