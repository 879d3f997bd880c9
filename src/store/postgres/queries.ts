import { MemoryError } from '../../domain/errors.ts'
import type { QueryId, WorkspaceId } from '../../domain/ids.ts'
import { POSITIONS_PER_CONVERSATION } from '../../domain/locator.ts'
import type { Query } from '../../domain/page.ts'
import { type PageRow, type QueryRow, toQuery, toWordColumns } from '../page-rows.ts'
import type {
  AcceptedQuery,
  PageKey,
  QueriesAdded,
  QueryAddition,
  QueryRange,
  WordSearch,
} from '../page-store.ts'
import { findWorkspace } from './conversations.ts'
import { createPage, findPageRow } from './pages.ts'
import { findWordPositions, queryEntry } from './query-words.ts'
import type { Session } from './session.ts'
import { addEntries } from './word-index.ts'

export async function addQueries(
  session: Session,
  { queries, newPage, ...key }: QueryAddition,
): Promise<QueriesAdded> {
  const page = await createPage(session, key, newPage)
  const added: QueryRow[] = []
  const rows: QueryRow[] = []
  const first = await nextPosition(session, page)
  for (const query of queries) {
    const row = await insert(session, page, { query, position: first + added.length })
    if (row !== undefined) added.push(row)
    rows.push(row ?? (await findRepeated(session, page, query)))
  }
  await addEntries(session, { workspace: page.workspace, index: 'query' }, added.map(queryEntry))
  await countAdded(session, page, added)
  return { queries: rows.map((row) => toQuery(row, page)), added: added.length }
}

async function nextPosition(session: Session, page: PageRow): Promise<number> {
  const last = await session.get<{ position: number | null }>(
    'SELECT max(position) AS position FROM query WHERE workspace = $1 AND page = $2',
    page.workspace,
    page.number,
  )
  return (last?.position ?? -1) + 1
}

/** Undefined where the id is taken. */
async function insert(
  session: Session,
  page: PageRow,
  { query, position }: { query: AcceptedQuery; position: number },
): Promise<QueryRow | undefined> {
  const words = toWordColumns(query)
  return session.get<QueryRow>(
    `INSERT INTO query (workspace, page, position, id, intent, is_important, created_at, query, sql, response, truncated,
       results)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (workspace, id) DO NOTHING RETURNING *`,
    page.workspace,
    page.number,
    position,
    query.id,
    query.intent,
    query.important,
    query.createdAt.getTime(),
    words.query,
    words.sql,
    words.response,
    query.resultsTruncated === undefined ? null : JSON.stringify(query.resultsTruncated),
    JSON.stringify(query.results),
  )
}

async function countAdded(session: Session, page: PageRow, added: readonly QueryRow[]): Promise<void> {
  if (added.length === 0) return
  await session.run(
    `UPDATE page SET query_count = query_count + $3, last_used_at = greatest(last_used_at, $4)
     WHERE workspace = $1 AND number = $2`,
    page.workspace,
    page.number,
    added.length,
    added.reduce((newest, row) => Math.max(newest, row.created_at), 0),
  )
}

/** What was first written under the id, if it says the same; flags may have changed since. */
async function findRepeated(session: Session, page: PageRow, query: AcceptedQuery): Promise<QueryRow> {
  const row = await session.get<QueryRow>(
    'SELECT * FROM query WHERE workspace = $1 AND id = $2',
    page.workspace,
    query.id,
  )
  const words = toWordColumns(query)
  const isSame =
    row?.page === page.number &&
    row.query === words.query &&
    row.sql === words.sql &&
    row.response === words.response &&
    row.results === JSON.stringify(query.results)
  if (isSame) return row
  throw new MemoryError('conflict', `there is another query with the id "${query.id}"`, {
    hint: 'queries never change but for their flag; leave out the id to add this as a new one',
  })
}

export async function readQueries(session: Session, range: QueryRange): Promise<readonly Query[]> {
  const page = await findPageRow(session, range)
  if (page === undefined) return []
  const isBackwards = range.direction === 'backwards'
  const rows = await session.all<QueryRow>(
    `SELECT * FROM query WHERE workspace = $1 AND page = $2 AND position > $3 AND position < $4
       ${range.onlyImportant === true ? 'AND is_important' : ''}
     ORDER BY position ${isBackwards ? 'DESC' : 'ASC'} LIMIT $5`,
    page.workspace,
    page.number,
    Math.max(range.after ?? -1, -1),
    Math.min(range.before ?? POSITIONS_PER_CONVERSATION, POSITIONS_PER_CONVERSATION),
    range.limit,
  )
  const queries = rows.map((row) => toQuery(row, page))
  return isBackwards ? queries.reverse() : queries
}

export async function readQueriesAt(
  session: Session,
  key: PageKey,
  positions: readonly number[],
): Promise<readonly Query[]> {
  const page = await findPageRow(session, key)
  if (page === undefined) return []
  const rows = await session.all<QueryRow>(
    `SELECT * FROM query WHERE workspace = $1 AND page = $2 AND position = ANY($3::bigint[]) ORDER BY position`,
    page.workspace,
    page.number,
    positions,
  )
  return rows.map((row) => toQuery(row, page))
}

export async function findQueryPositions(
  session: Session,
  { words, withAnyOf, limit, ...key }: WordSearch,
): Promise<readonly (readonly number[])[]> {
  const page = await findPageRow(session, key)
  if (page === undefined || withAnyOf?.length === 0) return words.map(() => [])
  const found: (readonly number[])[] = []
  const others = withAnyOf === undefined ? {} : { withAnyOf }
  for (const word of words) found.push(await findWordPositions(session, page, { word, limit, ...others }))
  return found
}

export interface FoundQuery {
  readonly row: QueryRow
  readonly page: PageRow
}

export async function needQuery(session: Session, workspace: WorkspaceId, id: QueryId): Promise<FoundQuery> {
  const number = await findWorkspace(session, workspace)
  const row =
    number === undefined
      ? undefined
      : await session.get<QueryRow>('SELECT * FROM query WHERE workspace = $1 AND id = $2', number, id)
  if (row === undefined) throw new MemoryError('not-found', `there is no query "${id}"`)
  const page = await session.get<PageRow>(
    'SELECT * FROM page WHERE workspace = $1 AND number = $2 FOR NO KEY UPDATE',
    row.workspace,
    row.page,
  )
  return { row, page: page as PageRow }
}

export async function findQuery(
  session: Session,
  workspace: WorkspaceId,
  id: QueryId,
): Promise<Query | undefined> {
  const number = await findWorkspace(session, workspace)
  if (number === undefined) return undefined
  const row = await session.get<QueryRow>('SELECT * FROM query WHERE workspace = $1 AND id = $2', number, id)
  if (row === undefined) return undefined
  const page = await session.get<PageRow>(
    'SELECT * FROM page WHERE workspace = $1 AND number = $2',
    row.workspace,
    row.page,
  )
  return toQuery(row, page as PageRow)
}

export async function flagQuery(
  session: Session,
  workspace: WorkspaceId,
  { id, important }: { id: QueryId; important: boolean },
): Promise<Query> {
  const { row, page } = await needQuery(session, workspace, id)
  await session.run(
    'UPDATE query SET is_important = $4 WHERE workspace = $1 AND page = $2 AND position = $3',
    row.workspace,
    row.page,
    row.position,
    important,
  )
  return toQuery({ ...row, is_important: important }, page)
}
