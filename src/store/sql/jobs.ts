// The job queue. Of the jobs of one conversation and kind that are not dead, exactly one is next (`is_next`): the
// running job, or else the oldest. Claiming looks only at these, however many are waiting or dead; each engine does
// it in its own way. Adding or ending a job locks the row of its conversation.

import { type ConversationKey, conversationId, type WorkspaceId, workspaceId } from '../../domain/ids.ts'
import type { Job, JobCounts, JobFailure, JobState, JobStore, JobTicket, NewJob } from '../jobs.ts'
import { needLocked } from './conversations.ts'
import { all, type Db, get, lock, run, type SqlAccess } from './statement.ts'
import { findWorkspace } from './workspaces.ts'

export function toJobStore({ read, write }: SqlAccess): Omit<JobStore, 'claimJob' | 'nextJobAt'> {
  return {
    addJobs: (key, jobs, now) => write(() => addJobs(key, jobs, now)),
    finishJob: (ticket) => write(() => finishJob(ticket)),
    failJob: (ticket, failure) => write(() => failJob(ticket, failure)),
    releaseJob: (ticket) => write(() => releaseJob(ticket)),
    renewJob: (ticket, until) => write(() => renewJob(ticket, until)),
    jobs: (list) => read(() => listJobs(list)),
    reviveJobs: (workspace, now) => write(() => reviveJobs(workspace, now)),
    countJobs: (workspace) => read(() => countJobs(workspace)),
  }
}

export interface JobRow {
  readonly number: number
  readonly workspace_id: string
  readonly conversation_id: string
  readonly kind: string
  readonly key: string
  readonly body: string
  readonly state: string
  readonly failures: number
  readonly error: string | null
  readonly run_at: number
  readonly created_at: number
}

/** The queue of one conversation and kind. */
interface Line {
  readonly workspace: number
  readonly conversation: number
  readonly kind: string
}

/** Rows `j` of jobs with the ids that `toJob` needs. */
export const withIds = (jobs: 'j' | 'job j'): string =>
  `SELECT j.*, w.id AS workspace_id, c.id AS conversation_id FROM ${jobs}
   JOIN conversation c ON c.workspace = j.workspace AND c.number = j.conversation
   JOIN workspace w ON w.number = j.workspace`

export const ABANDONED = 'the process that ran it ended'

function* addJobs(key: ConversationKey, jobs: readonly NewJob[], now: Date): Db<void> {
  const conversation = yield* needLocked(key)
  for (const job of jobs) yield* addJob(conversation, job, now)
}

/** The caller has locked the row of the conversation. */
export function* addJob(
  { workspace, number }: { readonly workspace: number; readonly number: number },
  job: NewJob,
  now: Date,
): Db<void> {
  const known = yield* all<{ number: number; state: JobState }>(
    'SELECT number, state FROM job WHERE workspace = $1 AND conversation = $2 AND kind = $3 AND key = $4',
    workspace,
    number,
    job.kind,
    job.key,
  )
  if (known.some(({ state }) => state === 'waiting')) return
  const dead = known.filter(({ state }) => state === 'dead').map((one) => one.number)
  if (dead.length > 0)
    yield* run('DELETE FROM job WHERE workspace = $1 AND number = ANY($2::bigint[])', workspace, dead)
  yield* run(
    `INSERT INTO job (workspace, conversation, kind, key, body, is_next, run_at, due_at, created_at)
     VALUES ($1, $2, $3, $4, $5, NOT EXISTS (SELECT 1 FROM job
       WHERE workspace = $1 AND conversation = $2 AND kind = $3 AND state <> 'dead'), $6, $6, $6)`,
    workspace,
    number,
    job.kind,
    job.key,
    JSON.stringify(job.body),
    now.getTime(),
  )
}

/** The queue of a job that the caller holds; undefined if the lease was lost. */
export const findHeld = ({ id, lease }: JobTicket): Db<Line | undefined> =>
  get<Line>('SELECT workspace, conversation, kind FROM job WHERE number = $1 AND lease = $2', id, lease)

/** Like `findHeld`, and locks the row of the conversation. */
function* lockHeld(ticket: JobTicket): Db<Line | undefined> {
  const line = yield* findHeld(ticket)
  if (line === undefined) return undefined
  yield* lock(
    'SELECT 1 FROM conversation WHERE workspace = $1 AND number = $2 FOR NO KEY UPDATE',
    line.workspace,
    line.conversation,
  )
  return line
}

export function* finishJob(ticket: JobTicket): Db<boolean> {
  const line = yield* lockHeld(ticket)
  if (line === undefined) return false
  const finished = yield* run(
    'DELETE FROM job WHERE workspace = $1 AND number = $2 AND lease = $3',
    line.workspace,
    ticket.id,
    ticket.lease,
  )
  return yield* endTurn(line, finished)
}

function* failJob(ticket: JobTicket, { error, runAt }: JobFailure): Db<boolean> {
  const line = yield* lockHeld(ticket)
  if (line === undefined) return false
  const failed = yield* run(
    `UPDATE job SET lease = NULL, is_next = FALSE, failures = failures + 1, error = $4, state = $5,
       run_at = coalesce($6::bigint, run_at), due_at = coalesce($6::bigint, run_at)
     WHERE workspace = $1 AND number = $2 AND lease = $3`,
    line.workspace,
    ticket.id,
    ticket.lease,
    error,
    runAt === undefined ? 'dead' : 'waiting',
    runAt?.getTime() ?? null,
  )
  return yield* endTurn(line, failed)
}

function* releaseJob(ticket: JobTicket): Db<boolean> {
  const line = yield* lockHeld(ticket)
  if (line === undefined) return false
  const released = yield* run(
    `UPDATE job SET lease = NULL, is_next = FALSE, state = 'waiting', due_at = run_at
     WHERE workspace = $1 AND number = $2 AND lease = $3`,
    line.workspace,
    ticket.id,
    ticket.lease,
  )
  return yield* endTurn(line, released)
}

function* renewJob(ticket: JobTicket, until: Date): Db<boolean> {
  const line = yield* findHeld(ticket)
  if (line === undefined) return false
  const renewed = yield* run(
    'UPDATE job SET due_at = $4 WHERE workspace = $1 AND number = $2 AND lease = $3',
    line.workspace,
    ticket.id,
    ticket.lease,
    until.getTime(),
  )
  return renewed > 0
}

/** Makes the oldest job of the queue next after a job has ended. Returns false if none has ended. */
function* endTurn(line: Line, ended: number): Db<boolean> {
  if (ended === 0) return false
  yield* run(
    `UPDATE job SET is_next = TRUE WHERE workspace = $1 AND number = (SELECT min(number) FROM job
       WHERE workspace = $1 AND conversation = $2 AND kind = $3 AND state <> 'dead')`,
    line.workspace,
    line.conversation,
    line.kind,
  )
  return true
}

const STATES: readonly JobState[] = ['waiting', 'running', 'dead']

function* listJobs({ workspace, state, limit }: Parameters<JobStore['jobs']>[0]): Db<readonly Job[]> {
  const number = yield* findWorkspace(workspace)
  if (number === undefined) return []
  const rows = yield* all<JobRow>(
    `${withIds('job j')} WHERE j.workspace = $1 AND j.state = ANY($2::text[]) ORDER BY j.number DESC LIMIT $3`,
    number,
    state === undefined ? STATES : [state],
    limit,
  )
  return rows.map(toJob)
}

function* reviveJobs(workspace: WorkspaceId, now: Date): Db<number> {
  const number = yield* findWorkspace(workspace)
  if (number === undefined) return 0
  yield* lock(
    `SELECT 1 FROM conversation WHERE workspace = $1 AND number IN (SELECT conversation FROM job
       WHERE workspace = $1 AND state = 'dead') ORDER BY number FOR NO KEY UPDATE`,
    number,
  )
  const revived = yield* run(
    `UPDATE job SET state = 'waiting', failures = 0, error = NULL, run_at = $2, due_at = $2
     WHERE workspace = $1 AND state = 'dead'`,
    number,
    now.getTime(),
  )
  if (revived > 0) yield* giveTurns(number)
  return revived
}

/** Revived jobs may be older than the one that is next; a running job keeps its turn. */
export function* giveTurns(workspace: number): Db<void> {
  yield* run(
    "UPDATE job SET is_next = FALSE WHERE workspace = $1 AND state <> 'running' AND is_next = TRUE",
    workspace,
  )
  yield* run(
    `UPDATE job SET is_next = TRUE WHERE workspace = $1 AND number IN (SELECT min(number) FROM job
       WHERE workspace = $1 AND state <> 'dead' GROUP BY conversation, kind
       HAVING sum(CASE WHEN state = 'running' THEN 1 ELSE 0 END) = 0)`,
    workspace,
  )
}

export function* countJobs(workspace?: WorkspaceId): Db<JobCounts> {
  const rows =
    workspace === undefined
      ? yield* all<StateCount>('SELECT j.state, count(*) AS count FROM job j GROUP BY j.state')
      : yield* all<StateCount>(
          `SELECT j.state, count(*) AS count FROM workspace w JOIN job j ON j.workspace = w.number
           WHERE w.id = $1 GROUP BY j.state`,
          workspace,
        )
  const counts = { waiting: 0, running: 0, dead: 0 }
  for (const { state, count } of rows) counts[state] = count
  return counts
}

interface StateCount {
  readonly state: JobState
  readonly count: number
}

export function toJob(row: JobRow): Job {
  return {
    id: row.number,
    workspace: workspaceId(row.workspace_id),
    conversation: conversationId(row.conversation_id),
    kind: row.kind,
    key: row.key,
    body: JSON.parse(row.body),
    state: row.state as JobState,
    failures: row.failures,
    ...(row.error !== null && { error: row.error }),
    runAt: new Date(row.run_at),
    createdAt: new Date(row.created_at),
  }
}
