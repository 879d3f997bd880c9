// The checks of `doctor` for derivations and jobs. Derived data can be rebuilt: `rebuild` drops whatever is wrong,
// and the derivers then read the affected conversations again.

import { giveTurns } from '../sql/jobs.ts'
import { type Check, REBUILD } from './check-rule.ts'
import { execute } from './execute.ts'
import type { Session } from './session.ts'
import { BEHIND, rebuildUnread, WITH_ACTIVE } from './stale.ts'

const DERIVE_AGAIN = 'run `recollect rebuild` to derive the data from the messages again'

interface Flaw {
  readonly check: string
  /** Selects the numbers of derivations of workspace $1 with the flaw. */
  readonly sql: string
  readonly tell: (count: number) => string
}

const FLAWS: readonly Flaw[] = [
  {
    check: 'derivations have read only existing messages',
    sql: `SELECT d.number FROM derivation d
      JOIN conversation c ON c.workspace = d.workspace AND c.number = d.conversation
      WHERE d.workspace = $1 AND (d.cursor > c.message_count OR d.cursor < 0)`,
    tell: (count) => `${count} derivations claim to have read messages that do not exist`,
  },
  {
    check: 'every message that was read has a reading',
    sql: `SELECT d.number FROM derivation d WHERE d.workspace = $1 AND d.is_active AND d.deriver = 'reading' AND d.cursor <>
      (SELECT count(*) FROM reading r WHERE r.workspace = $1 AND r.derivation = d.number AND r.position < d.cursor)`,
    tell: (count) => `${count} derivations have missing readings`,
  },
  {
    check: 'readings refer to messages that were read',
    sql: `SELECT DISTINCT d.number FROM reading r
      JOIN derivation d ON d.workspace = r.workspace AND d.number = r.derivation
      WHERE r.workspace = $1 AND (r.position >= d.cursor OR r.topic >= d.cursor OR r.topic < 0)`,
    tell: (count) => `${count} derivations have readings that refer to unread messages`,
  },
  {
    check: 'every vector can be read and has a sketch',
    sql: `SELECT DISTINCT derivation AS number FROM reading WHERE workspace = $1
        AND (length(vector) < 4 OR (vector IS NULL) <> (sketch IS NULL))
      UNION SELECT derivation FROM derived WHERE workspace = $1 AND length(vector) % 4 <> 0`,
    tell: (count) => `${count} derivations have unreadable vectors`,
  },
]

/** Queues of jobs in which none, or more than one, is next. */
const WRONG_TURNS = `SELECT 1 FROM job WHERE workspace = $1 GROUP BY conversation, kind
  HAVING count(*) FILTER (WHERE is_next) <> CASE WHEN bool_or(state <> 'dead') THEN 1 ELSE 0 END
    OR bool_or(is_next AND state = 'dead')`

export const DERIVED_CHECKS: readonly Check[] = [
  ...FLAWS.map(({ check, sql, tell }) => ({
    check,
    sql: `SELECT count(*) AS count FROM (${sql}) flawed`,
    tell,
    remedy: DERIVE_AGAIN,
  })),
  {
    check: 'conversations with unread messages are scheduled for derivation',
    sql: `SELECT count(*) AS count FROM deriver r CROSS JOIN conversation c ${WITH_ACTIVE} AND d.deriver = r.name
      WHERE c.workspace = $1 AND ${BEHIND} AND NOT EXISTS (SELECT 1 FROM unread u
        WHERE u.workspace = $1 AND u.conversation = c.number AND u.deriver = r.name)`,
    tell: (count) => `${count} conversations would not be derived completely`,
    remedy: DERIVE_AGAIN,
  },
  {
    check: 'job queues are in order',
    sql: `SELECT count(*) AS count FROM (${WRONG_TURNS}) wrong`,
    tell: (count) => `the jobs of ${count} conversations are out of order`,
    remedy: REBUILD,
  },
]

interface DeadJobs {
  readonly kind: string
  readonly error: string | null
  readonly count: number
}

/** Enough to recognize the error; some servers answer with a whole page. */
const TOLD_CHARACTERS = 300

/** Jobs that failed with the same error are reported together. */
export async function findDeadJobs(session: Session, workspace: number): Promise<readonly string[]> {
  const rows = await session.all<DeadJobs>(
    `SELECT kind, error, count(*) AS count FROM job WHERE workspace = $1 AND state = 'dead'
     GROUP BY kind, error ORDER BY count DESC, kind, error LIMIT 20`,
    workspace,
  )
  return rows.map(({ kind, error, count }) => {
    const reason = (error ?? 'no error was recorded').slice(0, TOLD_CHARACTERS)
    return `${count} "${kind}" ${count === 1 ? 'job' : 'jobs'} failed too often: ${reason}`
  })
}

/** Drops what is wrong, so that it is derived again. */
export async function rebuildDerived(session: Session, workspace: number): Promise<void> {
  for (const { sql } of FLAWS)
    await session.run(`DELETE FROM derivation WHERE workspace = $1 AND number IN (${sql})`, workspace)
  await execute(session, giveTurns(workspace))
  await rebuildUnread(session, workspace)
}
