// Claiming jobs; the rest of the queue is in sql/jobs.ts.

import type { ClaimRequest, Job } from '../jobs.ts'
import { ABANDONED, giveTurns, type JobRow, toJob, withIds } from '../sql/jobs.ts'
import { all, type Db, get, run } from '../sql/statement.ts'

/** The latest time that a Date can represent. */
const END_OF_TIME = new Date(8.64e15)

export function* claimJob({ now, lease, leaseMs, kinds }: ClaimRequest): Db<Job | undefined> {
  const due = yield* findDue(now, kinds)
  if (due === undefined) return undefined
  yield* run(
    `UPDATE job SET state = 'running', lease = $2, due_at = $3, failures = failures + (state = 'running'),
       error = iif(state = 'running', coalesce(error, $4), error) WHERE number = $1`,
    due.number,
    lease,
    now.getTime() + leaseMs,
    ABANDONED,
  )
  const row = yield* get<JobRow>(`${withIds('job j')} WHERE j.number = $1`, due.number)
  return toJob(row as JobRow)
}

interface DueJob {
  readonly number: number
  readonly due_at: number
}

const SELECT_NEXT_JOB = 'SELECT number, due_at FROM job WHERE is_next = TRUE AND due_at <= $1'

/** The first job due by then. Each kind is searched separately, so that jobs of other kinds add no cost. */
function* findDue(by: Date, kinds?: readonly string[]): Db<DueJob | undefined> {
  const order = 'ORDER BY due_at, number LIMIT 1'
  if (kinds === undefined) return yield* get<DueJob>(`${SELECT_NEXT_JOB} ${order}`, by.getTime())
  let first: DueJob | undefined
  for (const kind of kinds) {
    const job = yield* get<DueJob>(`${SELECT_NEXT_JOB} AND kind = $2 ${order}`, by.getTime(), kind)
    if (job !== undefined && (first === undefined || isBefore(job, first))) first = job
  }
  return first
}

const isBefore = (one: DueJob, other: DueJob): boolean =>
  one.due_at < other.due_at || (one.due_at === other.due_at && one.number < other.number)

export function* nextJobAt(kinds?: readonly string[]): Db<Date | undefined> {
  const job = yield* findDue(END_OF_TIME, kinds)
  return job && new Date(job.due_at)
}

/**
 * For all workspaces. If several jobs of a queue are running, which should never happen, the oldest gets the turn.
 */
export function* giveAllTurns(): Db<void> {
  yield* run("UPDATE job SET is_next = FALSE WHERE is_next <> 0 AND state <> 'running'")
  yield* run(
    `UPDATE job SET is_next = FALSE, state = 'waiting', lease = NULL, due_at = run_at WHERE state = 'running' AND EXISTS (
       SELECT 1 FROM job e WHERE e.conversation = job.conversation AND e.kind = job.kind AND e.state = 'running'
         AND e.number < job.number)`,
  )
  yield* run("UPDATE job SET is_next = TRUE WHERE state = 'running'")
  for (const { number } of yield* all<{ number: number }>('SELECT number FROM workspace'))
    yield* giveTurns(number)
}
