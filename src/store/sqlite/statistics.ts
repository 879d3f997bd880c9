import { statSync } from 'node:fs'
import type { WorkspaceId } from '../../domain/ids.ts'
import { countDerived, type RecordCounts } from '../sql/statistics.ts'
import type { StoreStatistics } from '../store.ts'
import type { Connection } from './connection.ts'
import { execute } from './dialect.ts'
import { IN_MEMORY } from './open-database.ts'

export function readStatistics(
  connection: Connection,
  workspace: WorkspaceId,
  path: string,
): StoreStatistics {
  const counts = connection.get<RecordCounts>(
    `WITH mine AS (SELECT c.* FROM conversation c JOIN workspace w ON w.number = c.workspace WHERE w.id = ?1)
     SELECT count(*) AS conversations, count(archived_at) AS archivedConversations,
       coalesce(sum(message_count), 0) AS messages, coalesce(sum(token_count), 0) AS tokens,
       coalesce(sum(max(0, last_used_at - created_at)), 0) / 1000 AS conversationSeconds,
       (SELECT count(*) FROM message WHERE role = 'user' AND erased_at IS NULL AND conversation IN (SELECT number FROM mine)) AS turns,
       (SELECT count(*) FROM message WHERE erased_at IS NOT NULL AND conversation IN (SELECT number FROM mine)) AS erasedMessages,
       coalesce((SELECT sum(messages) FROM block WHERE conversation IN (SELECT number FROM mine)), 0) AS compressedMessages,
       coalesce((SELECT sum(bytes - length(body)) FROM block WHERE conversation IN (SELECT number FROM mine)), 0) AS savedBytes,
       (SELECT count(*) FROM receipt WHERE conversation IN (SELECT number FROM mine)) AS receipts,
       (SELECT count(*) FROM page p JOIN workspace w ON w.number = p.workspace WHERE w.id = ?1) AS pages,
       (SELECT coalesce(sum(query_count), 0) FROM page p JOIN workspace w ON w.number = p.workspace WHERE w.id = ?1) AS queries,
       (SELECT count(*) FROM document d JOIN workspace w ON w.number = d.workspace WHERE w.id = ?1) AS documents,
       (SELECT coalesce(sum(chunk_count), 0) FROM document d JOIN workspace w ON w.number = d.workspace WHERE w.id = ?1) AS chunks
     FROM mine`,
    workspace,
  ) as RecordCounts
  return {
    ...counts,
    ...execute(connection, countDerived(workspace)),
    storageBytes: path === IN_MEMORY ? pageBytes(connection) : fileBytes(path),
  }
}

function pageBytes(connection: Connection): number {
  const pages = connection.get<{ page_count: number }>('PRAGMA page_count')?.page_count ?? 0
  const size = connection.get<{ page_size: number }>('PRAGMA page_size')?.page_size ?? 0
  return pages * size
}

function fileBytes(path: string): number {
  return ['', '-wal', '-shm'].reduce(
    (sum, ending) => sum + (statSync(path + ending, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}
