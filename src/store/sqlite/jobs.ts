// Of the jobs of one conversation and kind that are not dead, one has its turn (`is_next`): the oldest, or the one
// that is running. Claiming reads only those, however many wait behind them or are dead.

import { type ConversationKey, conversationId, type WorkspaceId, workspaceId } from '../../domain/ids.ts'
import type { ClaimRequest, Job, JobCounts, JobFailure, JobState, JobTicket, NewJob } from '../jobs.ts'
import type { Connection } from './connection.ts'
import { findWorkspace, needRow } from './conversations.ts'

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
  readonly conversation: number
  readonly kind: string
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
  conversation: { readonly workspace: number; readonly number: number },
  { job, now }: { readonly job: NewJob; readonly now: Date },
): void {
  const known = connection.all<{ number: number; state: JobState }>(
    'SELECT number, state FROM job WHERE conversation = ? AND kind = ? AND key = ?',
    conversation.number,
    job.kind,
    job.key,
  )
  if (known.some(({ state }) => state === 'waiting')) return
  for (const { number, state } of known)
    if (state === 'dead') connection.run('DELETE FROM job WHERE number = ?', number)
  connection.run(
    `INSERT INTO job (workspace, conversation, kind, key, body, is_next, run_at, due_at, created_at)
     VALUES (?1, ?2, ?3, ?4, ?5,
       NOT EXISTS (SELECT 1 FROM job WHERE conversation = ?2 AND kind = ?3 AND state <> 'dead'), ?6, ?6, ?6)`,
    conversation.workspace,
    conversation.number,
    job.kind,
    job.key,
    JSON.stringify(job.body),
    now.getTime(),
  )
}

/** The latest time that a Date can represent. */
const END_OF_TIME = new Date(8.64e15)

const LEFT_LYING = 'the process that ran it ended'

export function claimJob(
  connection: Connection,
  { now, lease, leaseMs, kinds }: ClaimRequest,
): Job | undefined {
  const claimed = connection.get<{ number: number }>(
    `UPDATE job SET state = 'running', lease = ?2, due_at = ?3, failures = failures + (state = 'running'),
       error = iif(state = 'running', coalesce(error, ?4), error)
     WHERE number = ?1 RETURNING number`,
    findDue(connection, now, kinds)?.number ?? null,
    lease,
    now.getTime() + leaseMs,
    LEFT_LYING,
  )
  if (claimed === undefined) return undefined
  return toJob(connection.get<JobRow>(`${JOBS} WHERE j.number = ?`, claimed.number) as JobRow)
}

interface DueJob {
  readonly number: number
  readonly due_at: number
}

const FIRST = 'SELECT number, due_at FROM job WHERE is_next = 1 AND due_at <= ?'

/** The first job due by then. Each kind is searched separately, so that jobs of other kinds add no cost. */
function findDue(connection: Connection, by: Date, kinds?: readonly string[]): DueJob | undefined {
  const order = 'ORDER BY due_at, number LIMIT 1'
  if (kinds === undefined) return connection.get<DueJob>(`${FIRST} ${order}`, by.getTime())
  return kinds
    .map((kind) => connection.get<DueJob>(`${FIRST} AND kind = ? ${order}`, by.getTime(), kind))
    .filter((job) => job !== undefined)
    .sort((one, other) => one.due_at - other.due_at || one.number - other.number)[0]
}

export function nextJobAt(connection: Connection, kinds?: readonly string[]): Date | undefined {
  const job = findDue(connection, END_OF_TIME, kinds)
  return job && new Date(job.due_at)
}

/** The queue of a job that the caller holds; undefined if the lease was lost. */
export function findHeld(connection: Connection, { id, lease }: JobTicket): Line | undefined {
  return connection.get<Line>('SELECT conversation, kind FROM job WHERE number = ? AND lease = ?', id, lease)
}

export function finishJob(connection: Connection, { id, lease }: JobTicket): boolean {
  return endTurn(
    connection,
    connection.get<Line>(
      'DELETE FROM job WHERE number = ? AND lease = ? RETURNING conversation, kind',
      id,
      lease,
    ),
  )
}

export function failJob(connection: Connection, ticket: JobTicket, { error, runAt }: JobFailure): boolean {
  return endTurn(
    connection,
    connection.get<Line>(
      `UPDATE job SET lease = NULL, is_next = 0, failures = failures + 1, error = ?1, state = ?2,
         run_at = coalesce(?3, run_at), due_at = coalesce(?3, run_at)
       WHERE number = ?4 AND lease = ?5 RETURNING conversation, kind`,
      error,
      runAt === undefined ? 'dead' : 'waiting',
      runAt?.getTime() ?? null,
      ticket.id,
      ticket.lease,
    ),
  )
}

export function releaseJob(connection: Connection, { id, lease }: JobTicket): boolean {
  return endTurn(
    connection,
    connection.get<Line>(
      `UPDATE job SET lease = NULL, is_next = 0, state = 'waiting', due_at = run_at
       WHERE number = ? AND lease = ? RETURNING conversation, kind`,
      id,
      lease,
    ),
  )
}

export function renewJob(connection: Connection, { id, lease }: JobTicket, until: Date): boolean {
  const sql = 'UPDATE job SET due_at = ? WHERE number = ? AND lease = ?'
  return connection.run(sql, until.getTime(), id, lease).changes > 0
}

/** Passes the turn to the oldest waiting job. Returns false if the caller's job was not found. */
function endTurn(connection: Connection, line: Line | undefined): boolean {
  if (line === undefined) return false
  connection.run(
    `UPDATE job SET is_next = 1 WHERE number =
       (SELECT min(number) FROM job WHERE conversation = ? AND kind = ? AND state <> 'dead')`,
    line.conversation,
    line.kind,
  )
  return true
}

const STATES: readonly JobState[] = ['waiting', 'running', 'dead']

export function listJobs(
  connection: Connection,
  { workspace, state, limit }: { workspace: WorkspaceId; state?: JobState; limit: number },
): readonly Job[] {
  const number = findWorkspace(connection, workspace)
  if (number === undefined) return []
  const rows = (state === undefined ? STATES : [state]).flatMap((one) =>
    connection.all<JobRow>(
      `${JOBS} WHERE j.workspace = ? AND j.state = ? ORDER BY j.number DESC LIMIT ?`,
      number,
      one,
      limit,
    ),
  )
  return rows
    .toSorted((a, b) => b.number - a.number)
    .slice(0, limit)
    .map(toJob)
}

export function reviveJobs(connection: Connection, workspace: WorkspaceId, now: Date): number {
  const number = findWorkspace(connection, workspace)
  if (number === undefined) return 0
  const { changes } = connection.run(
    `UPDATE job SET state = 'waiting', failures = 0, error = NULL, run_at = ?1, due_at = ?1
     WHERE workspace = ?2 AND state = 'dead'`,
    now.getTime(),
    number,
  )
  if (changes > 0) giveTurns(connection, number)
  return changes
}

/** Revived jobs may be older than the one whose turn it is; a running job keeps its turn. */
function giveTurns(connection: Connection, workspace: number): void {
  connection.run(
    "UPDATE job SET is_next = 0 WHERE workspace = ? AND state = 'waiting' AND is_next = 1",
    workspace,
  )
  connection.run(
    `UPDATE job SET is_next = 1 WHERE number IN (SELECT min(number) FROM job
       WHERE workspace = ? AND state <> 'dead' GROUP BY conversation, kind HAVING max(state = 'running') = 0)`,
    workspace,
  )
}

/**
 * For all workspaces. If several jobs of a queue are running, which should never happen, the oldest gets the turn.
 */
export function giveAllTurns(connection: Connection): void {
  connection.run("UPDATE job SET is_next = 0 WHERE is_next <> 0 AND state <> 'running'")
  connection.run(
    `UPDATE job SET is_next = 0, state = 'waiting', lease = NULL, due_at = run_at WHERE state = 'running' AND EXISTS (
       SELECT 1 FROM job e WHERE e.conversation = job.conversation AND e.kind = job.kind AND e.state = 'running'
         AND e.number < job.number)`,
  )
  connection.run("UPDATE job SET is_next = 1 WHERE state = 'running'")
  for (const { number } of connection.all<{ number: number }>('SELECT number FROM workspace'))
    giveTurns(connection, number)
}

export function countJobs(connection: Connection, workspace?: WorkspaceId): JobCounts {
  const number = workspace === undefined ? null : (findWorkspace(connection, workspace) ?? 0)
  const rows = connection.all<{ state: JobState; count: number }>(
    `SELECT state, count(*) AS count FROM job WHERE ${number === null ? '? IS NULL' : 'workspace = ?'} GROUP BY state`,
    number,
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
