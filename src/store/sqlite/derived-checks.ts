// The `doctor` checks of derivations, jobs and edits. Derived data can be recomputed: `rebuild` drops whatever is
// wrong with it, and the derivers then find unread messages.

import { SKETCH_BYTES } from '../sketch.ts'
import { type Check, noneOf, REBUILD, RESTORE } from './check-rule.ts'
import type { Connection } from './connection.ts'
import { execute } from './dialect.ts'
import { giveAllTurns } from './jobs.ts'
import { rebuildSketches } from './recall/stored-sketches.ts'
import { BEHIND, rebuildUnread, WITH_ACTIVE } from './stale.ts'

const DERIVE_AGAIN = 'run `recollect rebuild` to derive the data from the messages again'

interface Flaw {
  readonly check: string
  /** Selects the numbers of affected derivations. */
  readonly sql: string
  readonly tell: (count: number) => string
}

const FLAWS: readonly Flaw[] = [
  {
    check: 'derivations are in the workspace of their conversation',
    sql: `SELECT d.number FROM derivation d JOIN conversation c ON c.number = d.conversation
      WHERE c.workspace <> d.workspace UNION SELECT i.derivation FROM derived i
      JOIN derivation d ON d.number = i.derivation WHERE i.workspace <> d.workspace`,
    tell: (count) => `${count} derivations are in a different workspace than their conversation`,
  },
  {
    check: 'derivations have read only existing messages',
    sql: `SELECT d.number FROM derivation d JOIN conversation c ON c.number = d.conversation
      WHERE d.cursor > c.message_count OR d.cursor < 0`,
    tell: (count) => `${count} derivations claim to have read messages that do not exist`,
  },
  {
    check: 'each deriver has one active derivation per conversation',
    sql: `SELECT number FROM (SELECT number, count(*) OVER (PARTITION BY conversation, deriver) AS active
      FROM derivation WHERE is_active = 1) WHERE active > 1`,
    tell: (count) => `${count} derivations are active together with another one of the same deriver`,
  },
  {
    check: 'every message that was read has a reading',
    sql: `SELECT d.number FROM derivation d WHERE d.is_active = 1 AND d.deriver = 'reading'
      AND d.cursor <> (SELECT count(*) FROM reading r WHERE r.derivation = d.number AND r.position < d.cursor)`,
    tell: (count) => `${count} derivations have missing readings`,
  },
  {
    check: 'readings refer to messages that were read',
    sql: `SELECT DISTINCT d.number FROM reading r JOIN derivation d ON d.number = r.derivation
      WHERE r.position >= d.cursor OR r.topic >= d.cursor OR r.topic < 0`,
    tell: (count) => `${count} derivations have readings that refer to unread messages`,
  },
  {
    check: 'all derived data can be read',
    sql: `SELECT number FROM derivation WHERE NOT json_valid(state) UNION SELECT derivation FROM derived
      WHERE NOT json_valid(body) OR NOT json_valid(sources) OR length(vector) % 4 <> 0
      UNION SELECT derivation FROM reading WHERE length(vector) < 4`,
    tell: (count) => `${count} derivations contain unreadable data`,
  },
]

/** Queues in which no job, or more than one, has its turn. */
const WRONG_TURNS = `SELECT conversation, kind FROM job GROUP BY conversation, kind
  HAVING sum(is_next) <> max(state <> 'dead') OR max(is_next = 1 AND state = 'dead')`

export const DERIVED_CHECKS: readonly Check[] = [
  ...FLAWS.map(({ check, sql, tell }) => ({
    check,
    find: noneOf(`SELECT count(*) AS count FROM (${sql})`, tell),
    remedy: DERIVE_AGAIN,
  })),
  {
    check: 'every reading belongs to a derivation',
    find: noneOf(
      'SELECT count(*) AS count FROM reading WHERE derivation NOT IN (SELECT number FROM derivation)',
      (count) => `${count} readings belong to a missing derivation`,
    ),
    remedy: DERIVE_AGAIN,
  },
  {
    check: 'every vector has a sketch',
    find: noneOf(
      `SELECT (SELECT count(*) FROM (SELECT place FROM reading WHERE vector IS NOT NULL
           EXCEPT SELECT place FROM sketch WHERE length(bits) = ${SKETCH_BYTES})) +
         (SELECT count(*) FROM sketch WHERE place >> 24 NOT IN (SELECT number FROM derivation)) AS count`,
      (count) => `${count} vector sketches are missing or orphaned`,
    ),
    remedy: REBUILD,
  },
  {
    check: 'conversations with unread messages are scheduled for derivation',
    find: noneOf(
      `SELECT count(*) AS count FROM deriver r JOIN conversation c ${WITH_ACTIVE} AND d.deriver = r.name
       WHERE ${BEHIND} AND NOT EXISTS (SELECT 1 FROM unread WHERE deriver = r.name AND conversation = c.number)`,
      (count) => `${count} conversations would not be derived completely`,
    ),
    remedy: DERIVE_AGAIN,
  },
  {
    check: 'job queues are in order',
    find: noneOf(
      `SELECT count(*) AS count FROM (${WRONG_TURNS})`,
      (count) => `the jobs of ${count} conversations are out of order`,
    ),
    remedy: DERIVE_AGAIN,
  },
  {
    check: 'every job can be read',
    find: noneOf(
      `SELECT count(*) AS count FROM job j JOIN conversation c ON c.number = j.conversation
       WHERE NOT json_valid(j.body) OR j.workspace <> c.workspace`,
      (count) => `${count} jobs are damaged`,
    ),
    remedy: DERIVE_AGAIN,
  },
  {
    check: 'every edit can be read',
    find: noneOf(
      `SELECT count(*) AS count FROM edit e LEFT JOIN conversation c ON c.number = e.conversation
       WHERE NOT json_valid(e.body) OR NOT json_valid(coalesce(e.sources, '[]')) OR e.workspace <> c.workspace`,
      (count) => `${count} edits are damaged`,
    ),
    remedy: RESTORE,
  },
  {
    check: 'no job failed for good',
    find: (connection) => connection.all<DeadJobs>(DEAD_JOBS).map(tellDead),
    remedy: 'fix the cause, then run `recollect jobs --retry`',
  },
]

interface DeadJobs {
  readonly kind: string
  readonly error: string | null
  readonly count: number
}

/** A cause shared by many dead jobs is reported once. */
const DEAD_JOBS = `SELECT kind, error, count(*) AS count FROM job WHERE state = 'dead'
  GROUP BY kind, error ORDER BY count DESC, kind, error LIMIT 20`

/** Enough to recognize the error; some servers answer with a whole page. */
const TOLD_CHARACTERS = 300

function tellDead({ kind, error, count }: DeadJobs): string {
  const reason = (error ?? 'no error was recorded').slice(0, TOLD_CHARACTERS)
  return `${count} "${kind}" ${count === 1 ? 'job' : 'jobs'} failed too often: ${reason}`
}

/** Drops whatever is wrong, so that it is derived again. */
export function rebuildDerived(connection: Connection): void {
  for (const { sql } of FLAWS) connection.run(`DELETE FROM derivation WHERE number IN (${sql})`)
  connection.run('DELETE FROM reading WHERE derivation NOT IN (SELECT number FROM derivation)')
  rebuildSketches(connection)
  connection.run(
    `DELETE FROM job WHERE NOT json_valid(body)
       OR workspace <> (SELECT workspace FROM conversation WHERE number = job.conversation)`,
  )
  execute(connection, giveAllTurns())
  rebuildUnread(connection)
}
