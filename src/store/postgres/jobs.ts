// The job queue. Among the live jobs of one conversation and kind, exactly one is next (`is_next`): the running job,
// or else the oldest. Claiming looks only at these, however many jobs are waiting or dead, and skips rows that
// another process is claiming. Adding or ending a job locks the row of its conversation.

import { type ConversationKey, conversationId, type WorkspaceId, workspaceId } from '../../domain/ids.ts'
import type { ClaimRequest, Job, JobCounts, JobFailure, JobState, JobTicket, NewJob } from '../jobs.ts'
import { findWorkspace, needLocked } from './conversations.ts'
import type { Session } from './session.ts'

interface JobRow {
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

const WITH_IDS = `SELECT j.*, w.id AS workspace_id, c.id AS conversation_id FROM j
  JOIN conversation c ON c.workspace = j.workspace AND c.number = j.conversation
  JOIN workspace w ON w.number = j.workspace`

export async function addJobs(
  session: Session,
  key: ConversationKey,
  { jobs, now }: { readonly jobs: readonly NewJob[]; readonly now: Date },
): Promise<void> {
  const conversation = await needLocked(session, key)
  for (const job of jobs) await addJob(session, conversation, { job, now })
}

/** The caller has locked the row of the conversation. */
export async function addJob(
  session: Session,
  { workspace, number }: { readonly workspace: number; readonly number: number },
  { job, now }: { readonly job: NewJob; readonly now: Date },
): Promise<void> {
  const known = await session.all<{ number: number; state: JobState }>(
    'SELECT number, state FROM job WHERE workspace = $1 AND conversation = $2 AND kind = $3 AND key = $4',
    workspace,
    number,
    job.kind,
    job.key,
  )
  if (known.some(({ state }) => state === 'waiting')) return
  const dead = known.filter(({ state }) => state === 'dead').map((one) => one.number)
  if (dead.length > 0)
    await session.run('DELETE FROM job WHERE workspace = $1 AND number = ANY($2::bigint[])', workspace, dead)
  await session.run(
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

const LEFT_LYING = 'the process that ran it ended'

/** Claims the first job that is due, skipping those that another process is claiming. */
export async function claimJob(
  session: Session,
  { now, lease, leaseMs, kinds }: ClaimRequest,
): Promise<Job | undefined> {
  const row = await session.get<JobRow>(
    `WITH due AS (SELECT workspace, number FROM job WHERE is_next AND due_at <= $1
         AND ($5::text[] IS NULL OR kind = ANY($5::text[]))
       ORDER BY due_at, number LIMIT 1 FOR UPDATE SKIP LOCKED),
     j AS (UPDATE job SET state = 'running', lease = $2, due_at = $3,
         failures = failures + CASE WHEN state = 'running' THEN 1 ELSE 0 END,
         error = CASE WHEN state = 'running' THEN coalesce(error, $4) ELSE error END
       FROM due WHERE job.workspace = due.workspace AND job.number = due.number RETURNING job.*)
     ${WITH_IDS}`,
    now.getTime(),
    lease,
    now.getTime() + leaseMs,
    LEFT_LYING,
    kinds ?? null,
  )
  return row && toJob(row)
}

export async function nextJobAt(session: Session, kinds?: readonly string[]): Promise<Date | undefined> {
  const row = await session.get<{ due_at: number }>(
    `SELECT due_at FROM job WHERE is_next AND ($1::text[] IS NULL OR kind = ANY($1::text[])) ORDER BY due_at LIMIT 1`,
    kinds ?? null,
  )
  return row && new Date(row.due_at)
}

/** The queue of a claimed job; undefined if the lease was lost. */
export async function findHeld(session: Session, { id, lease }: JobTicket): Promise<Line | undefined> {
  return session.get<Line>(
    'SELECT workspace, conversation, kind FROM job WHERE number = $1 AND lease = $2',
    id,
    lease,
  )
}

/** Like `findHeld`, and locks the row of the conversation. */
async function lockHeld(session: Session, ticket: JobTicket): Promise<Line | undefined> {
  const line = await findHeld(session, ticket)
  if (line === undefined) return undefined
  await session.run(
    'SELECT 1 FROM conversation WHERE workspace = $1 AND number = $2 FOR NO KEY UPDATE',
    line.workspace,
    line.conversation,
  )
  return line
}

export async function finishJob(session: Session, ticket: JobTicket): Promise<boolean> {
  const line = await lockHeld(session, ticket)
  if (line === undefined) return false
  const finished = await session.run(
    'DELETE FROM job WHERE workspace = $1 AND number = $2 AND lease = $3',
    line.workspace,
    ticket.id,
    ticket.lease,
  )
  return endTurn(session, line, finished)
}

export async function failJob(
  session: Session,
  ticket: JobTicket,
  { error, runAt }: JobFailure,
): Promise<boolean> {
  const line = await lockHeld(session, ticket)
  if (line === undefined) return false
  const failed = await session.run(
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
  return endTurn(session, line, failed)
}

export async function releaseJob(session: Session, ticket: JobTicket): Promise<boolean> {
  const line = await lockHeld(session, ticket)
  if (line === undefined) return false
  const released = await session.run(
    `UPDATE job SET lease = NULL, is_next = FALSE, state = 'waiting', due_at = run_at
     WHERE workspace = $1 AND number = $2 AND lease = $3`,
    line.workspace,
    ticket.id,
    ticket.lease,
  )
  return endTurn(session, line, released)
}

export async function renewJob(session: Session, ticket: JobTicket, until: Date): Promise<boolean> {
  const line = await findHeld(session, ticket)
  if (line === undefined) return false
  const renewed = await session.run(
    'UPDATE job SET due_at = $4 WHERE workspace = $1 AND number = $2 AND lease = $3',
    line.workspace,
    ticket.id,
    ticket.lease,
    until.getTime(),
  )
  return renewed > 0
}

/** Makes the oldest job of the queue next after a job has ended. Returns false if none has ended. */
async function endTurn(session: Session, line: Line, ended: number): Promise<boolean> {
  if (ended === 0) return false
  await session.run(
    `UPDATE job SET is_next = TRUE WHERE workspace = $1 AND number = (SELECT min(number) FROM job
       WHERE workspace = $1 AND conversation = $2 AND kind = $3 AND state <> 'dead')`,
    line.workspace,
    line.conversation,
    line.kind,
  )
  return true
}

export async function listJobs(
  session: Session,
  { workspace, state, limit }: { workspace: WorkspaceId; state?: JobState; limit: number },
): Promise<readonly Job[]> {
  const number = await findWorkspace(session, workspace)
  if (number === undefined) return []
  const rows = await session.all<JobRow>(
    `WITH j AS (SELECT * FROM job WHERE workspace = $1 AND ($2::text IS NULL OR state = $2) ORDER BY number DESC LIMIT $3)
     ${WITH_IDS} ORDER BY j.number DESC`,
    number,
    state ?? null,
    limit,
  )
  return rows.map(toJob)
}

export async function reviveJobs(session: Session, workspace: WorkspaceId, now: Date): Promise<number> {
  const number = await findWorkspace(session, workspace)
  if (number === undefined) return 0
  await session.run(
    `SELECT 1 FROM conversation WHERE workspace = $1 AND number IN (SELECT conversation FROM job
       WHERE workspace = $1 AND state = 'dead') ORDER BY number FOR NO KEY UPDATE`,
    number,
  )
  const revived = await session.run(
    `UPDATE job SET state = 'waiting', failures = 0, error = NULL, run_at = $2, due_at = $2
     WHERE workspace = $1 AND state = 'dead'`,
    number,
    now.getTime(),
  )
  if (revived > 0) await giveTurns(session, number)
  return revived
}

/** Jobs that were revived may be older than the one that is next; a running job keeps its turn. */
export async function giveTurns(session: Session, workspace: number): Promise<void> {
  await session.run(
    "UPDATE job SET is_next = FALSE WHERE workspace = $1 AND state <> 'running' AND is_next",
    workspace,
  )
  await session.run(
    `UPDATE job SET is_next = TRUE WHERE workspace = $1 AND number IN (SELECT min(number) FROM job
       WHERE workspace = $1 AND state <> 'dead' GROUP BY conversation, kind HAVING NOT bool_or(state = 'running'))`,
    workspace,
  )
}

export async function countJobs(session: Session, workspace?: WorkspaceId): Promise<JobCounts> {
  const ofOne = 'JOIN workspace w ON w.number = j.workspace WHERE w.id = $1'
  const rows = await session.all<{ state: JobState; count: number }>(
    `SELECT j.state, count(*) AS count FROM job j ${workspace === undefined ? '' : ofOne} GROUP BY j.state`,
    ...(workspace === undefined ? [] : [workspace]),
  )
  const counts = { waiting: 0, running: 0, dead: 0 }
  for (const { state, count } of rows) counts[state] = count
  return counts
}

function toJob(row: JobRow): Job {
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
