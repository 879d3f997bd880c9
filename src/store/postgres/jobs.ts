// Claiming jobs; the rest of the queue is in sql/jobs.ts.

import type { ClaimRequest, Job } from '../jobs.ts'
import { ABANDONED, type JobRow, toJob, withIds } from '../sql/jobs.ts'
import type { Session } from './session.ts'

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
     ${withIds('j')}`,
    now.getTime(),
    lease,
    now.getTime() + leaseMs,
    ABANDONED,
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
