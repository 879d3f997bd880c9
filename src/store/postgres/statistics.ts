import type { WorkspaceId } from '../../domain/ids.ts'
import { countDerived, type RecordCounts } from '../sql/statistics.ts'
import type { StoreStatistics } from '../store.ts'
import { execute } from './execute.ts'
import type { Session } from './session.ts'

export async function readStatistics(session: Session, workspace: WorkspaceId): Promise<StoreStatistics> {
  const counts = (await session.get<RecordCounts>(
    `WITH mine AS (SELECT number FROM workspace WHERE id = $1)
     SELECT count(*) AS conversations, count(archived_at) AS "archivedConversations",
       coalesce(sum(message_count), 0) AS messages, coalesce(sum(token_count), 0) AS tokens,
       (coalesce(sum(greatest(0, last_used_at - created_at)), 0) / 1000)::bigint AS "conversationSeconds",
       (SELECT count(*) FROM message WHERE workspace = (SELECT number FROM mine) AND role = 'user' AND erased_at IS NULL) AS turns,
       (SELECT count(*) FROM message WHERE workspace = (SELECT number FROM mine) AND erased_at IS NOT NULL) AS "erasedMessages",
       (SELECT coalesce(sum(messages), 0) FROM block WHERE workspace = (SELECT number FROM mine)) AS "compressedMessages",
       (SELECT coalesce(sum(bytes - length(body)), 0) FROM block WHERE workspace = (SELECT number FROM mine)) AS "savedBytes",
       (SELECT count(*) FROM receipt WHERE workspace = (SELECT number FROM mine)) AS receipts,
       (SELECT count(*) FROM page WHERE workspace = (SELECT number FROM mine)) AS pages,
       (SELECT coalesce(sum(query_count), 0) FROM page WHERE workspace = (SELECT number FROM mine)) AS queries,
       (SELECT count(*) FROM document WHERE workspace = (SELECT number FROM mine)) AS documents,
       (SELECT coalesce(sum(chunk_count), 0) FROM document WHERE workspace = (SELECT number FROM mine)) AS chunks
     FROM conversation WHERE workspace = (SELECT number FROM mine)`,
    workspace,
  )) as RecordCounts
  return {
    ...counts,
    ...(await execute(session, countDerived(workspace))),
    storageBytes: await countBytes(session),
  }
}

/** All tables of the schema, including indexes and TOAST. */
async function countBytes(session: Session): Promise<number> {
  const row = await session.get<{ bytes: number }>(
    `SELECT coalesce(sum(pg_total_relation_size(oid)), 0) AS bytes FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`,
  )
  return row?.bytes ?? 0
}
