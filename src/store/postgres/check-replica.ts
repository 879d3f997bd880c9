import type { Finding, ReplicaStatus } from '../store.ts'
import type { Connection } from './connection.ts'
import type { Session } from './session.ts'

/** The status at the last recall that used the replica; undefined if no replica is configured. */
export function replicaStatus(connection: Connection): ReplicaStatus | undefined {
  if (!connection.hasReplica) return undefined
  const { replicaTrouble, replicaFailures } = connection
  return {
    isUp: replicaTrouble === undefined,
    failures: replicaFailures,
    ...(replicaTrouble !== undefined && { problem: toProblem(replicaTrouble) }),
  }
}

const toProblem = (trouble: unknown): string =>
  `the replica does not answer, and recall asks the primary: ${String(trouble)}`

/** How recall is served if a replica is configured. */
export async function checkReplica(connection: Connection): Promise<readonly Finding[]> {
  if (!connection.hasReplica) return []
  const lagSeconds = await connection.recall(readLag)
  const check = 'recall reads from the replica'
  if (connection.replicaTrouble === undefined)
    return [{ check: lagSeconds === undefined ? check : `${check}, ${lagSeconds.toFixed(1)} s behind` }]
  return [
    {
      check,
      problem: toProblem(connection.replicaTrouble),
      remedy: 'see to the server that postgres.replicaUrl names; it is asked again by itself',
    },
  ]
}

/** Age in seconds of the last transaction that was replayed; 0 if everything received was replayed. */
async function readLag(session: Session): Promise<number | undefined> {
  const row = await session.get<{ seconds: number | null }>(
    `SELECT CASE WHEN NOT pg_is_in_recovery() THEN NULL
       WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
       ELSE extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) END AS seconds`,
  )
  return row?.seconds ?? undefined
}
