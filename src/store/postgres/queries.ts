// The part of queries that is specific to PostgreSQL; the rest is in sql/queries.ts.

import type { JsonValue } from '../../domain/json.ts'
import { type QueryRow, toQuery } from '../page-rows.ts'
import type { QueriesAdded, QueryAddition, WordSearch } from '../page-store.ts'
import { createPage, findPageRow } from '../sql/pages.ts'
import { countAddedQueries, findRepeatedQuery, nextQueryPosition, toQueryColumns } from '../sql/queries.ts'
import { insertInto } from '../sql/statement.ts'
import { execute } from './execute.ts'
import { findWordPositions, queryEntry } from './query-words.ts'
import type { Session } from './session.ts'
import { addEntries } from './word-index.ts'

export async function addQueries(
  session: Session,
  { queries, newPage, ...key }: QueryAddition,
): Promise<QueriesAdded> {
  const page = await execute(session, createPage(key, newPage))
  const added: QueryRow[] = []
  const rows: QueryRow[] = []
  const first = await execute(session, nextQueryPosition(page))
  for (const query of queries) {
    const columns = {
      ...toQueryColumns(page, { query, position: first + added.length }),
      results_exact: isChangedByJsonb(query.results) ? JSON.stringify(query.results) : null,
    }
    // Undefined if the id is taken.
    const row = await session.get<QueryRow>(
      `${insertInto('query', columns)} ON CONFLICT (workspace, id) DO NOTHING RETURNING *`,
      ...Object.values(columns),
    )
    if (row !== undefined) added.push(row)
    rows.push(row ?? (await execute(session, findRepeatedQuery(page, query))))
  }
  await addEntries(session, { workspace: page.workspace, index: 'query' }, added.map(queryEntry))
  await execute(session, countAddedQueries(page, added))
  return { queries: rows.map((row) => toQuery(row, page)), added: added.length }
}

/** `jsonb` sorts the keys of objects: the columns of rows would change places. */
const isChangedByJsonb = (value: JsonValue): boolean =>
  JSON.stringify(value) !== JSON.stringify(withSortedKeys(value))

function withSortedKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withSortedKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, withSortedKeys(inner)] as const)
  return Object.fromEntries(entries.toSorted(([one], [other]) => compareKeys(one, other)))
}

function compareKeys(one: string, other: string): number {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length - b.length || Buffer.compare(a, b)
}

export async function findQueryPositions(
  session: Session,
  { words, withAnyOf, limit, ...key }: WordSearch,
): Promise<readonly (readonly number[])[]> {
  const page = await execute(session, findPageRow(key))
  if (page === undefined || withAnyOf?.length === 0) return words.map(() => [])
  const found: (readonly number[])[] = []
  const others = withAnyOf === undefined ? {} : { withAnyOf }
  for (const word of words) found.push(await findWordPositions(session, page, { word, limit, ...others }))
  return found
}
