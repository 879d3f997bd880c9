import { type WorkspaceId, workspaceId } from '../../domain/ids.ts'
import type { DerivedKind } from '../derivations.ts'
import type { StoreStatistics } from '../store.ts'
import { countJobs } from './jobs.ts'
import { all, type Db, get } from './statement.ts'

type DerivedCounts = Pick<
  StoreStatistics,
  'topics' | 'entities' | 'statements' | 'summaries' | 'edits' | 'waitingJobs' | 'runningJobs' | 'deadJobs'
>

export type RecordCounts = Omit<StoreStatistics, keyof DerivedCounts | 'storageBytes'>

/** Counts by derivation: their index contains the kinds, so no items are read. */
export function* countDerived(workspace: WorkspaceId): Db<DerivedCounts> {
  const rows = yield* all<{ kind: DerivedKind; count: number }>(
    `SELECT i.kind, count(*) AS count FROM workspace w JOIN conversation c ON c.workspace = w.number
     JOIN derivation d ON d.workspace = c.workspace AND d.conversation = c.number AND d.is_active = TRUE
     JOIN derived i ON i.workspace = d.workspace AND i.derivation = d.number WHERE w.id = $1 GROUP BY i.kind`,
    workspace,
  )
  const count = (kind: DerivedKind) => rows.find((row) => row.kind === kind)?.count ?? 0
  const edits = yield* get<{ count: number }>(
    'SELECT count(*) AS count FROM workspace w JOIN edit e ON e.workspace = w.number WHERE w.id = $1',
    workspace,
  )
  const { waiting, running, dead } = yield* countJobs(workspace)
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

export function* readWorkspaces(): Db<readonly WorkspaceId[]> {
  const rows = yield* all<{ id: string }>('SELECT id FROM workspace ORDER BY number')
  return rows.map(({ id }) => workspaceId(id))
}
