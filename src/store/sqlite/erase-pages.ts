import type { PageRow, QueryRow } from '../page-rows.ts'
import type { FoundQuery } from '../sql/queries.ts'
import type { Connection } from './connection.ts'
import { queryEntry } from './query-index.ts'
import type { RemovedWords } from './removed-words.ts'

const ERASED_AT_ONCE = 500

/** Deletes the page, its queries and their index entries. */
export function deletePage(connection: Connection, page: PageRow, { queries }: RemovedWords): void {
  for (let after = -1; !queries.isMadeAnew; ) {
    const rows = connection.all<QueryRow>(
      'SELECT * FROM query WHERE page = ? AND position > ? ORDER BY position LIMIT ?',
      page.number,
      after,
      ERASED_AT_ONCE,
    )
    for (const row of rows) queries.take(queryEntry(row))
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.position
  }
  connection.run('DELETE FROM page WHERE number = ?', page.number)
}

export function deleteQuery(connection: Connection, { row, page }: FoundQuery, removed: RemovedWords): void {
  removed.queries.take(queryEntry(row))
  connection.run('DELETE FROM query WHERE number = ?', row.number)
  connection.run(
    `UPDATE page SET query_count = query_count - 1, last_used_at =
       max(updated_at, coalesce((SELECT max(created_at) FROM query WHERE page = ?1), 0)) WHERE number = ?1`,
    page.number,
  )
}
