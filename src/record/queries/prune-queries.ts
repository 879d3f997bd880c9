// Retention of page histories: erases queries that are older than a number of days. Runs only when called. Queries
// flagged as important are kept.

import type { WorkspaceId } from '../../domain/ids.ts'
import type { Query } from '../../domain/page.ts'
import type { Store } from '../../store/store.ts'
import { checkAge, DAY_MS } from '../prune.ts'
import { readPageStates, readQueries } from './read-history.ts'

export interface QueryPruneOptions {
  /** Queries asked longer ago than this are erased. */
  readonly olderThanDays: number
  /** Returns what would be erased and changes nothing. @default false */
  readonly dryRun?: boolean
}

export interface PrunedQueries {
  readonly queries: readonly Query[]
  readonly isDryRun: boolean
  /** False if erased text is still in the write-ahead log, see `Erased`. */
  readonly isScrubbed: boolean
}

interface QueryPruneRequest extends QueryPruneOptions {
  readonly workspace: WorkspaceId
  readonly now: Date
}

export async function pruneQueries(
  store: Store,
  { workspace, olderThanDays, dryRun: isDryRun = false, now }: QueryPruneRequest,
): Promise<PrunedQueries> {
  checkAge(olderThanDays, 'olderThanDays')
  const before = now.getTime() - olderThanDays * DAY_MS
  const queries: Query[] = []
  for await (const page of readPageStates(store, { workspace }))
    for await (const query of readQueries(store, { workspace, page: page.pageId }))
      if (!query.important && query.createdAt.getTime() < before) queries.push(query)
  let isScrubbed = true
  if (!isDryRun)
    for (const { id } of queries)
      isScrubbed = (await store.eraseQuery(workspace, id)).isScrubbed && isScrubbed
  return { queries, isDryRun, isScrubbed }
}
