import { statSync } from 'node:fs'
import type { WorkspaceId } from '../../domain/ids.ts'
import { workspaceId } from '../../domain/ids.ts'
import type { DerivedKind } from '../derivations.ts'
import { countJobs } from '../sql/jobs.ts'
import type { StoreStatistics } from '../store.ts'
import type { Connection } from './connection.ts'
import { execute } from './dialect.ts'
import { IN_MEMORY } from './open-database.ts'

type DerivedCounts = Pick<
  StoreStatistics,
  'topics' | 'entities' | 'statements' | 'summaries' | 'edits' | 'waitingJobs' | 'runningJobs' | 'deadJobs'
>
type RecordCounts = Omit<StoreStatistics, keyof DerivedCounts | 'storageBytes'>

export function readStatistics(
  connection: Connection,
  workspace: WorkspaceId,
  path: string,
): StoreStatistics {
  const counts = connection.get<RecordCounts>(
    `WITH mine AS (SELECT c.* FROM conversation c JOIN workspace w ON w.number = c.workspace WHERE w.id = ?1)
     SELECT count(*) AS conversations, count(archived_at) AS archivedConversations,
       coalesce(sum(message_count), 0) AS messages, coalesce(sum(token_count), 0) AS tokens,
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
    ...countDerived(connection, workspace),
    storageBytes: path === IN_MEMORY ? pageBytes(connection) : fileBytes(path),
  }
}

/** Counts by derivation: their index contains the kinds, so no items are read. */
function countDerived(connection: Connection, workspace: WorkspaceId): DerivedCounts {
  const rows = connection.all<{ kind: DerivedKind; count: number }>(
    `SELECT i.kind, count(*) AS count FROM workspace w CROSS JOIN conversation c ON c.workspace = w.number
     CROSS JOIN derivation d ON d.conversation = c.number AND d.is_active = 1
     CROSS JOIN derived i ON i.derivation = d.number WHERE w.id = ? GROUP BY i.kind`,
    workspace,
  )
  const count = (kind: DerivedKind) => rows.find((row) => row.kind === kind)?.count ?? 0
  const edits = connection.get<{ count: number }>(
    'SELECT count(*) AS count FROM edit e JOIN workspace w ON w.number = e.workspace WHERE w.id = ?',
    workspace,
  )
  const { waiting, running, dead } = execute(connection, countJobs(workspace))
  return {
    topics: count('topic'),
    entities: count('entity'),
    statements: count('statement'),
    summaries: count('summary'),
    edits: edits?.count ?? 0,
    waitingJobs: waiting,
    runningJobs: running,
    deadJobs: dead,
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

export function readWorkspaces(connection: Connection): readonly WorkspaceId[] {
  return connection
    .all<{ id: string }>('SELECT id FROM workspace ORDER BY number')
    .map(({ id }) => workspaceId(id))
}
