// Queries of pages. Inserting a query and finding queries by words differ between the engines: sqlite/queries.ts and
// postgres/queries.ts.

import { MemoryError } from '../../domain/errors.ts'
import type { QueryId, WorkspaceId } from '../../domain/ids.ts'
import { POSITIONS_PER_CONVERSATION } from '../../domain/locator.ts'
import type { Query } from '../../domain/page.ts'
import { pageCommit } from '../commits.ts'
import { Json } from '../json-parameter.ts'
import { type PageRow, parseResults, type QueryRow, toJson, toQuery, toWords } from '../page-rows.ts'
import type { AcceptedQuery, PageKey, PageStore, QueryRange } from '../page-store.ts'
import { findPageRow, forgetDocument, listPages, savePage } from './pages.ts'
import { all, type Db, get, run, type SqlAccess, type SqlParameter } from './statement.ts'
import { findWorkspace } from './workspaces.ts'

/** All methods except those that each engine implements itself. */
export function toPageStore({
  read,
  write,
}: SqlAccess): Omit<PageStore, 'findPage' | 'addQueries' | 'findQueryPositions'> {
  return {
    savePage: (save) => write(() => savePage(save), pageCommit('savePage', save)),
    listPages: (list) => read(() => listPages(list)),
    forgetDocument: (workspace, documentId, now) =>
      write(
        () => forgetDocument(workspace, { documentId, now }),
        pageCommit('forgetDocument', { workspace }),
      ),
    queries: (range) => read(() => readQueries(range)),
    queriesAt: (key, positions) => read(() => readQueriesAt(key, positions)),
    findQuery: (workspace, id) => read(() => findQuery(workspace, id)),
    flagQuery: (workspace, id, important) =>
      write(() => flagQuery(workspace, { id, important }), pageCommit('flagQuery', { workspace })),
  }
}

export function* nextQueryPosition(page: PageRow): Db<number> {
  const last = yield* get<{ position: number | null }>(
    'SELECT max(position) AS position FROM query WHERE workspace = $1 AND page = $2',
    page.workspace,
    page.number,
  )
  return (last?.position ?? -1) + 1
}

export function toQueryColumns(
  page: PageRow,
  { query, position }: { readonly query: AcceptedQuery; readonly position: number },
): Readonly<Record<string, SqlParameter>> {
  return {
    workspace: page.workspace,
    page: page.number,
    position,
    id: query.id,
    intent: query.intent,
    is_important: query.important,
    created_at: query.createdAt,
    query: new Json(query.query),
    sql: new Json(query.sql),
    response: new Json(query.response),
    truncated: toJson(query.resultsTruncated),
    results: new Json(query.results),
  }
}

export function* countAddedQueries(page: PageRow, added: readonly QueryRow[]): Db<void> {
  if (added.length === 0) return
  yield* run(
    `UPDATE page SET query_count = query_count + $3, last_used_at = greatest(last_used_at, $4)
     WHERE workspace = $1 AND number = $2`,
    page.workspace,
    page.number,
    added.length,
    new Date(Math.max(...added.map((row) => row.created_at))),
  )
}

/** The query first written under the id, if it is the same apart from its flag. */
export function* findRepeatedQuery(page: PageRow, query: AcceptedQuery): Db<QueryRow> {
  const row = yield* findQueryRow(page.workspace, query.id)
  if (
    row?.page === page.number &&
    contentOf({ ...toWords(row), results: parseResults(row) }) === contentOf(query)
  )
    return row
  throw new MemoryError('conflict', `there is another query with the id "${query.id}"`, {
    hint: 'queries never change but for their flag; leave out the id to add this as a new one',
  })
}

const contentOf = ({
  query,
  sql,
  response,
  results,
}: Pick<AcceptedQuery, 'query' | 'sql' | 'response' | 'results'>) =>
  JSON.stringify([query, sql, response, results])

const findQueryRow = (workspace: number, id: QueryId): Db<QueryRow | undefined> =>
  get<QueryRow>('SELECT * FROM query WHERE workspace = $1 AND id = $2', workspace, id)

export function* readQueries(range: QueryRange): Db<readonly Query[]> {
  const page = yield* findPageRow(range)
  if (page === undefined) return []
  const isBackwards = range.direction === 'backwards'
  const rows = yield* all<QueryRow>(
    `SELECT * FROM query WHERE workspace = $1 AND page = $2 AND position > $3 AND position < $4
       ${range.onlyImportant === true ? 'AND is_important = TRUE' : ''}
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

export function* readQueriesAt(key: PageKey, positions: readonly number[]): Db<readonly Query[]> {
  const page = yield* findPageRow(key)
  if (page === undefined) return []
  const rows = yield* all<QueryRow>(
    'SELECT * FROM query WHERE workspace = $1 AND page = $2 AND position = ANY($3::bigint[]) ORDER BY position',
    page.workspace,
    page.number,
    positions,
  )
  return rows.map((row) => toQuery(row, page))
}

export interface FoundQuery {
  readonly row: QueryRow
  readonly page: PageRow
}

/** Locks the page of the query. */
export function* needQuery(workspace: WorkspaceId, id: QueryId): Db<FoundQuery> {
  const found = yield* findWithPage(workspace, id, 'FOR NO KEY UPDATE')
  if (found === undefined) throw new MemoryError('not-found', `there is no query "${id}"`)
  return found
}

function* findWithPage(workspace: WorkspaceId, id: QueryId, lock: string): Db<FoundQuery | undefined> {
  const number = yield* findWorkspace(workspace)
  const row = number === undefined ? undefined : yield* findQueryRow(number, id)
  if (row === undefined) return undefined
  const page = yield* get<PageRow>(
    `SELECT * FROM page WHERE workspace = $1 AND number = $2 ${lock}`,
    row.workspace,
    row.page,
  )
  return { row, page: page as PageRow }
}

export function* findQuery(workspace: WorkspaceId, id: QueryId): Db<Query | undefined> {
  const found = yield* findWithPage(workspace, id, '')
  return found && toQuery(found.row, found.page)
}

export function* flagQuery(
  workspace: WorkspaceId,
  { id, important }: { id: QueryId; important: boolean },
): Db<Query> {
  const { row, page } = yield* needQuery(workspace, id)
  yield* run(
    'UPDATE query SET is_important = $4 WHERE workspace = $1 AND page = $2 AND position = $3',
    row.workspace,
    row.page,
    row.position,
    important,
  )
  return toQuery({ ...row, is_important: important }, page)
}
