import type { PageRow, QueryRow } from '../page-rows.ts'
import type { FoundQuery } from '../sql/queries.ts'
import { queryEntry } from './query-words.ts'
import type { Session } from './session.ts'
import { removeEntries } from './word-index.ts'

const ERASED_AT_ONCE = 500

/** Deletes the page, its queries, and their index entries. */
export async function deletePage(session: Session, { workspace, number }: PageRow): Promise<void> {
  for (let after = -1; ; ) {
    const rows = await session.all<QueryRow>(
      `SELECT * FROM query WHERE workspace = $1 AND page = $2 AND position > $3
       ORDER BY position LIMIT ${ERASED_AT_ONCE}`,
      workspace,
      number,
      after,
    )
    const last = rows.at(-1)
    if (last === undefined) break
    await removeEntries(session, { workspace, index: 'query' }, rows.map(queryEntry))
    after = last.position
  }
  await session.run('DELETE FROM page WHERE workspace = $1 AND number = $2', workspace, number)
}

export async function deleteQuery(session: Session, { row, page }: FoundQuery): Promise<void> {
  const { workspace } = row
  await removeEntries(session, { workspace, index: 'query' }, [queryEntry(row)])
  await session.run(
    'DELETE FROM query WHERE workspace = $1 AND page = $2 AND position = $3',
    workspace,
    row.page,
    row.position,
  )
  await session.run(
    `UPDATE page p SET query_count = query_count - 1, last_used_at = greatest(updated_at, coalesce(
       (SELECT max(created_at) FROM query WHERE workspace = $1 AND page = $2), 0)) WHERE p.workspace = $1 AND p.number = $2`,
    workspace,
    page.number,
  )
}
