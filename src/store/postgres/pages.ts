import type { PageState } from '../../domain/page.ts'
import { byKey } from '../batch.ts'
import { type PageRow, toPageState } from '../page-rows.ts'
import type { PageKey } from '../page-store.ts'
import type { Session } from './session.ts'

/** Reads several pages in one round trip; the rest of pages is in sql/pages.ts. */
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
