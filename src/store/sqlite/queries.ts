import { MemoryError } from '../../domain/errors.ts'
import type { QueryId, WorkspaceId } from '../../domain/ids.ts'
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
import type { Connection } from './connection.ts'
import { findWorkspace } from './conversations.ts'
import { createPage, findPageRow } from './pages.ts'
import { numberOf, positionOf, queryEntry } from './query-index.ts'
import { addEntry } from './word-index.ts'

export function addQueries(
  connection: Connection,
  { queries, newPage, ...key }: QueryAddition,
): QueriesAdded {
  const page = findPageRow(connection, key) ?? createPage(connection, key, newPage)
  const added: QueryRow[] = []
  const first = nextPosition(connection, page)
  const rows = queries.map((query) => {
    const row = insert(connection, page, { query, position: first + added.length })
    if (row === undefined) return findRepeated(connection, page, query)
    added.push(row)
    return row
  })
  countAdded(connection, page, added)
  return { queries: rows.map((row) => toQuery(row, page)), added: added.length }
}

function nextPosition(connection: Connection, page: PageRow): number {
  const last = connection.get<{ position: number | null }>(
    'SELECT max(position) AS position FROM query WHERE page = ?',
    page.number,
  )
  return (last?.position ?? -1) + 1
}

/** Undefined where the id is taken. */
function insert(
  connection: Connection,
  page: PageRow,
  { query, position }: { query: AcceptedQuery; position: number },
): QueryRow | undefined {
  const words = toWordColumns(query)
  const row = connection.get<QueryRow>(
    `INSERT INTO query (number, workspace, page, position, id, intent, is_important, created_at, query, sql,
       response, truncated, results)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (workspace, id) DO NOTHING RETURNING *`,
    numberOf(page.number, position),
    page.workspace,
    page.number,
    position,
    query.id,
    query.intent,
    Number(query.important),
    query.createdAt.getTime(),
    words.query,
    words.sql,
    words.response,
    query.resultsTruncated === undefined ? null : JSON.stringify(query.resultsTruncated),
    JSON.stringify(query.results),
  )
  if (row !== undefined) addEntry(connection, 'query_words', queryEntry(row))
  return row
}

function countAdded(connection: Connection, page: PageRow, added: readonly QueryRow[]): void {
  if (added.length === 0) return
  connection.run(
    'UPDATE page SET query_count = query_count + ?, last_used_at = max(last_used_at, ?) WHERE number = ?',
    added.length,
    added.reduce((newest, row) => Math.max(newest, row.created_at), 0),
    page.number,
  )
}

/** What was first written under the id, if it says the same; flags may have changed since. */
function findRepeated(connection: Connection, page: PageRow, query: AcceptedQuery): QueryRow {
  const row = connection.get<QueryRow>(
    'SELECT * FROM query WHERE workspace = ? AND id = ?',
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

export function readQueries(connection: Connection, range: QueryRange): readonly Query[] {
  const page = findPageRow(connection, range)
  if (page === undefined) return []
  const isBackwards = range.direction === 'backwards'
  const rows = connection.all<QueryRow>(
    `SELECT * FROM query WHERE page = ? AND position > ? AND position < ?
       ${range.onlyImportant === true ? 'AND is_important = 1' : ''}
     ORDER BY position ${isBackwards ? 'DESC' : 'ASC'} LIMIT ?`,
    page.number,
    range.after ?? -1,
    range.before ?? Number.MAX_SAFE_INTEGER,
    range.limit,
  )
  const queries = rows.map((row) => toQuery(row, page))
  return isBackwards ? queries.reverse() : queries
}

export function readQueriesAt(
  connection: Connection,
  key: PageKey,
  positions: readonly number[],
): readonly Query[] {
  const page = findPageRow(connection, key)
  if (page === undefined) return []
  const rows = connection.all<QueryRow>(
    'SELECT * FROM query WHERE number IN (SELECT value FROM json_each(?)) ORDER BY number',
    JSON.stringify(positions.map((position) => numberOf(page.number, position))),
  )
  return rows.map((row) => toQuery(row, page))
}

/** Newest first by row number: the index yields rows in that order, so that a common word costs no more than a rare one. */
export function findQueryPositions(
  connection: Connection,
  { words, withAnyOf, limit, ...key }: WordSearch,
): readonly (readonly number[])[] {
  const page = findPageRow(connection, key)
  if (page === undefined || withAnyOf?.length === 0) return words.map(() => [])
  const others = withAnyOf === undefined ? '' : ` AND (${withAnyOf.map(quote).join(' OR ')})`
  return words.map((word) =>
    connection
      .all<{ number: number }>(
        // FTS5 looks at a bound only where it is an integer, and drivers hand in large numbers as reals.
        `SELECT rowid AS number FROM query_words WHERE query_words MATCH ?
           AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER) ORDER BY rowid DESC LIMIT ?`,
        `words : (${quote(word)}${others})`,
        numberOf(page.number, 0),
        numberOf(page.number + 1, 0) - 1,
        limit,
      )
      .map(({ number }) => positionOf(number)),
  )
}

/** Words are folded: they hold no quotes. */
const quote = (word: string): string => `"${word}"`

export interface FoundQuery {
  readonly row: QueryRow
  readonly page: PageRow
}

export function needQuery(connection: Connection, workspace: WorkspaceId, id: QueryId): FoundQuery {
  const found = findQueryRow(connection, workspace, id)
  if (found === undefined) throw new MemoryError('not-found', `there is no query "${id}"`)
  return found
}

function findQueryRow(connection: Connection, workspace: WorkspaceId, id: QueryId): FoundQuery | undefined {
  const number = findWorkspace(connection, workspace)
  if (number === undefined) return undefined
  const row = connection.get<QueryRow>('SELECT * FROM query WHERE workspace = ? AND id = ?', number, id)
  return (
    row && { row, page: connection.get<PageRow>('SELECT * FROM page WHERE number = ?', row.page) as PageRow }
  )
}

export function findQuery(connection: Connection, workspace: WorkspaceId, id: QueryId): Query | undefined {
  const found = findQueryRow(connection, workspace, id)
  return found && toQuery(found.row, found.page)
}

export function flagQuery(
  connection: Connection,
  workspace: WorkspaceId,
  { id, important }: { id: QueryId; important: boolean },
): Query {
  const { row, page } = needQuery(connection, workspace, id)
  const flag = Number(important)
  connection.run('UPDATE query SET is_important = ? WHERE number = ?', flag, row.number)
  return toQuery({ ...row, is_important: flag }, page)
}
