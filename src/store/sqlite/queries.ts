// The part of queries that is specific to SQLite; the rest is in sql/queries.ts.

import { type PageRow, type QueryRow, toQuery } from '../page-rows.ts'
import type { AcceptedQuery, QueriesAdded, QueryAddition, WordSearch } from '../page-store.ts'
import { createPage, findPageRow } from '../sql/pages.ts'
import { countAddedQueries, findRepeatedQuery, nextQueryPosition, toQueryColumns } from '../sql/queries.ts'
import { get, insertInto } from '../sql/statement.ts'
import type { Connection } from './connection.ts'
import { execute } from './dialect.ts'
import { numberOf, positionOf, queryEntry } from './query-index.ts'
import { addEntry } from './word-index.ts'

export function addQueries(
  connection: Connection,
  { queries, newPage, ...key }: QueryAddition,
): QueriesAdded {
  const page = execute(connection, createPage(key, newPage))
  const added: QueryRow[] = []
  const first = execute(connection, nextQueryPosition(page))
  const rows = queries.map((query) => {
    const row = insert(connection, page, { query, position: first + added.length })
    if (row === undefined) return execute(connection, findRepeatedQuery(page, query))
    added.push(row)
    return row
  })
  execute(connection, countAddedQueries(page, added))
  return { queries: rows.map((row) => toQuery(row, page)), added: added.length }
}

/** Undefined if the id is taken. The number puts the query into the range of its page. */
function insert(
  connection: Connection,
  page: PageRow,
  { query, position }: { query: AcceptedQuery; position: number },
): QueryRow | undefined {
  const columns = { number: numberOf(page.number, position), ...toQueryColumns(page, { query, position }) }
  const sql = `${insertInto('query', columns)} ON CONFLICT (workspace, id) DO NOTHING RETURNING *`
  const row = execute(connection, get<QueryRow>(sql, ...Object.values(columns)))
  if (row !== undefined) addEntry(connection, 'query_words', queryEntry(row))
  return row
}

/**
 * Newest first by row number: the index returns rows in that order, so that a common word costs no more than a rare
 * one.
 */
export function findQueryPositions(
  connection: Connection,
  { words, withAnyOf, limit, ...key }: WordSearch,
): readonly (readonly number[])[] {
  const page = execute(connection, findPageRow(key))
  if (page === undefined || withAnyOf?.length === 0) return words.map(() => [])
  const others = withAnyOf === undefined ? '' : ` AND (${withAnyOf.map(quote).join(' OR ')})`
  return words.map((word) =>
    connection
      .all<{ number: number }>(
        // FTS5 uses a bound only if it is an integer, and drivers bind large numbers as reals.
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

/** Words are folded, so they contain no quotes. */
const quote = (word: string): string => `"${word}"`
