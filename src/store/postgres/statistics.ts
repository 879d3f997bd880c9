import type { WorkspaceId } from '../../domain/ids.ts'
import { workspaceId } from '../../domain/ids.ts'
import type { DerivedKind } from '../derivations.ts'
import { countJobs } from '../sql/jobs.ts'
import type { StoreStatistics } from '../store.ts'
import { execute } from './execute.ts'
import type { Session } from './session.ts'

type DerivedCounts = Pick<
  StoreStatistics,
  'topics' | 'entities' | 'statements' | 'summaries' | 'edits' | 'waitingJobs' | 'runningJobs' | 'deadJobs'
>
type RecordCounts = Omit<StoreStatistics, keyof DerivedCounts | 'storageBytes'>

export async function readStatistics(session: Session, workspace: WorkspaceId): Promise<StoreStatistics> {
  const counts = (await session.get<RecordCounts>(
    `WITH mine AS (SELECT number FROM workspace WHERE id = $1)
     SELECT count(*) AS conversations, count(archived_at) AS "archivedConversations",
       coalesce(sum(message_count), 0) AS messages, coalesce(sum(token_count), 0) AS tokens,
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
    ...(await countDerived(session, workspace)),
    storageBytes: await countBytes(session),
  }
}

async function countDerived(session: Session, workspace: WorkspaceId): Promise<DerivedCounts> {
  const rows = await session.all<{ kind: DerivedKind; count: number }>(
    `SELECT i.kind, count(*) AS count FROM workspace w JOIN derivation d ON d.workspace = w.number AND d.is_active
     JOIN derived i ON i.workspace = d.workspace AND i.derivation = d.number WHERE w.id = $1 GROUP BY i.kind`,
    workspace,
  )
  const count = (kind: DerivedKind) => rows.find((row) => row.kind === kind)?.count ?? 0
  const edits = await session.get<{ count: number }>(
    'SELECT count(*) AS count FROM edit e JOIN workspace w ON w.number = e.workspace WHERE w.id = $1',
    workspace,
  )
  const { waiting, running, dead } = await execute(session, countJobs(workspace))
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

/** All tables of the schema, including indexes and TOAST. */
async function countBytes(session: Session): Promise<number> {
  const row = await session.get<{ bytes: number }>(
    `SELECT coalesce(sum(pg_total_relation_size(oid)), 0) AS bytes FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`,
  )
  return row?.bytes ?? 0
}

export async function readWorkspaces(session: Session): Promise<readonly WorkspaceId[]> {
  const rows = await session.all<{ id: string }>('SELECT id FROM workspace ORDER BY number')
  return rows.map(({ id }) => workspaceId(id))
}
