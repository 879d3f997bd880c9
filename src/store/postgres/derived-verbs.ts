// Derived data, jobs for models, and edits by people.

import { derivationCommit } from '../commits.ts'
import type { DerivationStore } from '../derivations.ts'
import type { EditStore } from '../edits.ts'
import { areNamedEdits, isNamedItem } from '../item-rows.ts'
import type { ClaimRequest, Job, JobStore } from '../jobs.ts'
import { toDerivationStore } from '../sql/derivations.ts'
import { readEdits, toEditStore } from '../sql/edits.ts'
import { ABANDONED, type JobRow, toJob, toJobStore, withIds } from '../sql/jobs.ts'
import type { SqlAccess } from '../sql/statement.ts'
import { readNamedEdits } from './batched-reads.ts'
import { commitDerivation } from './commit-derivation.ts'
import type { Access, Connection } from './connection.ts'
import {
  isWholeList,
  readEditsVersion,
  readItems,
  readItemsVersion,
  readNamedItems,
  readWholeLists,
} from './derived-items.ts'
import { readReadings } from './readings.ts'
import type { Session } from './session.ts'
import { listStale } from './stale.ts'

export function toDerivedStore(
  connection: Connection,
  { track, batch, read, write }: Access,
  sql: SqlAccess,
): DerivationStore & JobStore & EditStore {
  const readNamedItem = batch(readNamedItems)
  const readWholeList = batch(readWholeLists)
  const readEditsOf = batch(readNamedEdits)
  return {
    ...toDerivationStore(sql),
    commitDerivation: (commit) =>
      write((session) => commitDerivation(session, commit), derivationCommit(commit)),
    derivedItems: (list) => {
      if (isNamedItem(list)) return readNamedItem(list)
      return isWholeList(list) ? readWholeList(list) : read((session) => readItems(session, list))
    },
    itemsVersion: ({ workspace, kind }) => read((session) => readItemsVersion(session, workspace, kind)),
    readings: (list) => read((session) => readReadings(session, list)),
    listStale: (wanted) => track(() => listStale(connection, wanted)),

    ...toJobStore(sql),
    claimJob: (request) => write((session) => claimJob(session, request)),
    nextJobAt: (kinds) => read((session) => nextJobAt(session, kinds)),

    ...toEditStore(sql),
    edits: (list) => (areNamedEdits(list) ? readEditsOf(list) : sql.read(() => readEdits(list))),
    editsVersion: (workspace) => read((session) => readEditsVersion(session, workspace)),
  }
}

// Claiming jobs; the rest of the queue is in sql/jobs.ts.

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
