import { type ConversationKey, conversationId, type WorkspaceId, workspaceId } from '../../domain/ids.ts'
import type { ClaimRequest, Job, JobCounts, JobFailure, JobState, JobTicket, NewJob } from '../jobs.ts'
import type { Connection } from './connection.ts'
import { needRow } from './conversations.ts'
import type { ConversationRow } from './rows.ts'

interface JobRow {
  readonly number: number
  readonly workspace_id: string
  readonly conversation_id: string
  readonly kind: string
  readonly key: string
  readonly body: string
  readonly failures: number
  readonly error: string | null
  readonly is_dead: number
  readonly run_at: number
  readonly lease: string | null
  readonly created_at: number
}

const JOBS = `SELECT j.*, w.id AS workspace_id, c.id AS conversation_id FROM job j
  JOIN conversation c ON c.number = j.conversation JOIN workspace w ON w.number = j.workspace`

export function addJobs(
  connection: Connection,
  key: ConversationKey,
  { jobs, now }: { readonly jobs: readonly NewJob[]; readonly now: Date },
): void {
  const conversation = needRow(connection, key)
  for (const job of jobs) addJob(connection, conversation, { job, now })
}

export function addJob(
  connection: Connection,
  conversation: ConversationRow,
  { job, now }: { readonly job: NewJob; readonly now: Date },
): void {
  connection.run(
    `INSERT INTO job (workspace, conversation, kind, key, body, run_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
    conversation.workspace,
    conversation.number,
    job.kind,
    job.key,
    JSON.stringify(job.body),
    now.getTime(),
    now.getTime(),
  )
}

export function claimJob(
  connection: Connection,
  { now, lease, leaseMs, kinds }: ClaimRequest,
): Job | undefined {
  const time = now.getTime()
  const row = connection.get<JobRow>(
    `${JOBS} WHERE j.is_dead = 0 AND j.run_at <= ?1 AND (j.lease IS NULL OR j.leased_until <= ?1)
       AND j.kind IN (SELECT value FROM json_each(?2))
       AND NOT EXISTS (SELECT 1 FROM job e WHERE e.conversation = j.conversation AND e.kind = j.kind
         AND e.number < j.number AND e.is_dead = 0)
     ORDER BY j.run_at, j.number LIMIT 1`,
    time,
    JSON.stringify(kinds),
  )
  if (row === undefined) return undefined
  connection.run(
    'UPDATE job SET lease = ?, leased_until = ? WHERE number = ?',
    lease,
    time + leaseMs,
    row.number,
  )
  return toJob({ ...row, lease })
}

export function nextJobAt(connection: Connection, kinds: readonly string[]): Date | undefined {
  const row = connection.get<{ at: number | null }>(
    'SELECT min(CASE WHEN lease IS NULL THEN run_at ELSE max(run_at, leased_until) END) AS at FROM job WHERE is_dead = 0 AND kind IN (SELECT value FROM json_each(?))',
    JSON.stringify(kinds),
  )
  return row?.at == null ? undefined : new Date(row.at)
}

export function isHeld(connection: Connection, { id, lease }: JobTicket): boolean {
  return connection.get('SELECT 1 FROM job WHERE number = ? AND lease = ?', id, lease) !== undefined
}

export function removeJob(connection: Connection, { id, lease }: JobTicket): boolean {
  return connection.run('DELETE FROM job WHERE number = ? AND lease = ?', id, lease).changes === 1
}

export function failJob(connection: Connection, ticket: JobTicket, { error, runAt }: JobFailure): boolean {
  const { changes } = connection.run(
    `UPDATE job SET lease = NULL, leased_until = NULL, failures = failures + 1, error = ?, is_dead = ?,
       run_at = coalesce(?, run_at) WHERE number = ? AND lease = ?`,
    error,
    Number(runAt === undefined),
    runAt?.getTime() ?? null,
    ticket.id,
    ticket.lease,
  )
  return changes === 1
}

export function releaseJob(connection: Connection, { id, lease }: JobTicket): boolean {
  const { changes } = connection.run(
    'UPDATE job SET lease = NULL, leased_until = NULL WHERE number = ? AND lease = ?',
    id,
    lease,
  )
  return changes === 1
}

const STATES: Readonly<Record<JobState, string>> = {
  dead: 'j.is_dead = 1',
  running: 'j.is_dead = 0 AND j.lease IS NOT NULL',
  waiting: 'j.is_dead = 0 AND j.lease IS NULL',
}

export function listJobs(
  connection: Connection,
  { workspace, state, limit }: { workspace: WorkspaceId; state?: JobState; limit: number },
): readonly Job[] {
  return connection
    .all<JobRow>(
      `${JOBS} WHERE w.id = ? AND ${state === undefined ? 'true' : STATES[state]} ORDER BY j.number DESC LIMIT ?`,
      workspace,
      limit,
    )
    .map(toJob)
}

export function reviveJobs(connection: Connection, workspace: WorkspaceId, now: Date): number {
  return connection.run(
    `UPDATE job SET is_dead = 0, failures = 0, error = NULL, run_at = ?
     WHERE is_dead = 1 AND workspace = (SELECT number FROM workspace WHERE id = ?)`,
    now.getTime(),
    workspace,
  ).changes
}

export function countJobs(connection: Connection, workspace?: WorkspaceId): JobCounts {
  const row = connection.get<JobCounts>(
    `SELECT count(*) FILTER (WHERE ${STATES.waiting}) AS waiting, count(*) FILTER (WHERE ${STATES.running}) AS running,
       count(*) FILTER (WHERE ${STATES.dead}) AS dead FROM job j JOIN workspace w ON w.number = j.workspace
     WHERE w.id = coalesce(?, w.id)`,
    workspace ?? null,
  )
  return { waiting: row?.waiting ?? 0, running: row?.running ?? 0, dead: row?.dead ?? 0 }
}

function toState({ is_dead, lease }: JobRow): JobState {
  if (is_dead === 1) return 'dead'
  return lease === null ? 'waiting' : 'running'
}

function toJob(row: JobRow): Job {
  return {
    id: row.number,
    workspace: workspaceId(row.workspace_id),
    conversation: conversationId(row.conversation_id),
    kind: row.kind,
    key: row.key,
    body: JSON.parse(row.body),
    state: toState(row),
    failures: row.failures,
    ...(row.error !== null && { error: row.error }),
    runAt: new Date(row.run_at),
    createdAt: new Date(row.created_at),
  }
}
