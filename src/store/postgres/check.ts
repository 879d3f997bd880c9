// The checks of `doctor` for the database: do copies of the same data agree? PostgreSQL itself guarantees the rest:
// keys, references and, with checksums, the files.

import { type PackedText, unpackText } from '../document-text.ts'
import type { Finding, ReplicaStatus } from '../store.ts'
import { findDamagedBlocks, findStrayWords } from './check-blocks.ts'
import { type Check, countWrong, REBUILD, RESTORE } from './check-rule.ts'
import { findUnindexed } from './check-words.ts'
import type { Connection } from './connection.ts'
import { DERIVED_CHECKS, findDeadJobs } from './derived-checks.ts'
import { isScrubPending } from './scrub.ts'
import type { Session, VectorIndexing } from './session.ts'

// The checks of `doctor` for documents and chunks.

export const DOCUMENT_CHECKS: readonly Check[] = [
  {
    check: 'chunks have no gaps, and chunk counts are correct',
    sql: `SELECT count(*) AS count FROM document d LEFT JOIN (SELECT document, count(*) AS chunks, max(position) AS last
        FROM chunk WHERE workspace = $1 GROUP BY 1) k ON k.document = d.number
      WHERE d.workspace = $1 AND (d.chunk_count <> coalesce(k.chunks, 0) OR k.last <> k.chunks - 1)`,
    tell: (count) => `${count} documents do not match their chunks`,
    remedy: REBUILD,
  },
  {
    check: 'chunks cover the whole text of their document',
    sql: `SELECT count(*) AS count FROM document d WHERE d.workspace = $1 AND (d.characters <> coalesce(
        (SELECT max(ends_at) FROM chunk k WHERE k.workspace = $1 AND k.document = d.number), 0)
      OR EXISTS (SELECT 1 FROM chunk k JOIN chunk next ON next.workspace = $1 AND next.document = k.document
        AND next.position = k.position + 1 WHERE k.workspace = $1 AND k.document = d.number AND next.starts_at > k.ends_at))`,
    tell: (count) => `${count} documents have text that is in no chunk`,
    remedy: REBUILD,
  },
  {
    check: 'attachments match between documents and conversations',
    sql: `SELECT count(*) AS count FROM conversation c WHERE c.workspace = $1 AND json_array_length(c.documents::json)
      <> (SELECT count(*) FROM attachment a WHERE a.workspace = $1 AND a.conversation = c.number)`,
    tell: (count) => `the attachments of ${count} conversations are recorded on one side only`,
    remedy: REBUILD,
  },
]

interface KeptText {
  readonly id: string
  readonly characters: number
  readonly text: Uint8Array | null
  readonly blocks: Uint8Array | null
}

/** Reads one document at a time, since each may be large. */
export async function findUnreadable(session: Session, workspace: number): Promise<readonly string[]> {
  const rows = await session.all<{ number: number }>(
    'SELECT number FROM document WHERE workspace = $1 ORDER BY number',
    workspace,
  )
  const bad: string[] = []
  for (const { number } of rows) {
    const kept = await session.get<KeptText>(
      `SELECT d.id, d.characters, t.text, t.blocks FROM document d
       LEFT JOIN document_text t ON t.workspace = d.workspace AND t.document = d.number
       WHERE d.workspace = $1 AND d.number = $2`,
      workspace,
      number,
    )
    if (kept !== undefined && !isWhole(kept)) bad.push(`the text of the document "${kept.id}" is damaged`)
  }
  return bad
}

function isWhole({ characters, text, blocks }: KeptText): boolean {
  if (text === null || blocks === null) return false
  const packed: PackedText = { text, blocks }
  try {
    return unpackText(packed).text.length === characters
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return false
  }
}

const RESTORE_WORDS =
  'all other messages are readable; restore the database from a backup to recover these, or erase them'

const CHECKS: readonly Check[] = [
  {
    check: 'message positions have no gaps',
    sql: `SELECT count(*) AS count FROM (SELECT 1 FROM message WHERE workspace = $1 GROUP BY conversation
      HAVING min(position) <> 0 OR max(position) <> count(*) - 1) gaps`,
    tell: (count) => `${count} conversations have gaps where messages are missing`,
    remedy: RESTORE,
  },
  {
    check: 'message and token counts are correct',
    sql: `SELECT count(*) AS count FROM conversation c LEFT JOIN
        (SELECT conversation, count(*) AS messages, sum(tokens) AS tokens FROM message WHERE workspace = $1 GROUP BY 1) m
        ON m.conversation = c.number
      WHERE c.workspace = $1 AND (c.message_count <> coalesce(m.messages, 0) OR c.token_count <> coalesce(m.tokens, 0))`,
    tell: (count) => `${count} conversations have wrong counts`,
    remedy: REBUILD,
  },
  {
    check: 'first and last messages of conversations are correct',
    sql: `SELECT count(*) AS count FROM conversation c LEFT JOIN (SELECT conversation, min(created_at) AS first,
        max(number) AS last FROM message WHERE workspace = $1 GROUP BY 1) m ON m.conversation = c.number
      WHERE c.workspace = $1 AND (c.first_said_at IS DISTINCT FROM m.first OR c.last_message IS DISTINCT FROM m.last)`,
    tell: (count) => `${count} conversations would be skipped by searches`,
    remedy: REBUILD,
  },
  {
    check: 'running token totals are correct',
    sql: `SELECT count(*) AS count FROM (SELECT tokens_before, coalesce(sum(tokens) OVER (PARTITION BY conversation
        ORDER BY position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS expected
        FROM message WHERE workspace = $1) sums WHERE tokens_before <> expected`,
    tell: (count) => `${count} messages have a wrong running token total`,
    remedy: REBUILD,
  },
  {
    check: 'query counts are correct',
    sql: `SELECT count(*) AS count FROM page p LEFT JOIN
        (SELECT page, count(*) AS queries FROM query WHERE workspace = $1 GROUP BY 1) q ON q.page = p.number
      WHERE p.workspace = $1 AND p.query_count <> coalesce(q.queries, 0)`,
    tell: (count) => `${count} pages have a wrong query count`,
    remedy: REBUILD,
  },
  ...DOCUMENT_CHECKS,
  ...DERIVED_CHECKS,
]

interface Look {
  readonly check: string
  readonly find: (session: Session, workspace: number) => Promise<readonly string[]>
  readonly remedy: string
}

/** Checks that a single SQL count cannot express. */
const LOOKS: readonly Look[] = [
  { check: 'every compressed message can be read', find: findDamagedBlocks, remedy: RESTORE_WORDS },
  {
    check: 'compressed blocks contain exactly their own messages',
    find: findStrayWords,
    remedy: RESTORE,
  },
  { check: 'the search index matches the stored text', find: findUnindexed, remedy: REBUILD },
  {
    check: 'the text of every document can be read',
    find: findUnreadable,
    remedy: 'erase these documents and add them again; everything else is readable',
  },
  {
    check: 'no job failed for good',
    find: findDeadJobs,
    remedy: 'fix the cause, then run `recollect jobs --retry`',
  },
]

export async function checkDatabase(session: Session): Promise<readonly Finding[]> {
  const rows = await session.all<{ number: number }>('SELECT number FROM workspace ORDER BY number')
  const workspaces = rows.map(({ number }) => number)
  const findings: Finding[] = []
  for (const check of CHECKS) {
    const count = await countWrong(session, check, workspaces)
    findings.push(toFinding(check, count === 0 ? [] : [check.tell(count)]))
  }
  for (const look of LOOKS) {
    const problems: string[] = []
    for (const workspace of workspaces) problems.push(...(await look.find(session, workspace)))
    findings.push(...problems.slice(0, 20).map((problem) => toFinding(look, [problem])))
    if (problems.length === 0) findings.push({ check: look.check })
  }
  return [...findings, ...(await tellState(session))]
}

function toFinding(
  { check, remedy }: { check: string; remedy: string },
  problems: readonly string[],
): Finding {
  const [problem] = problems
  return problem === undefined ? { check } : { check, problem, remedy }
}

/** Findings that are not problems. */
async function tellState(session: Session): Promise<readonly Finding[]> {
  const isPending = await isScrubPending(session)
  return [
    { check: tellVectors(session.vectorIndex) },
    {
      check: isPending
        ? 'erased text is removed from rows and indexes; run `recollect erase --finish` to remove it from the files'
        : 'erased text is removed from the tables and their files',
    },
  ]
}

function tellVectors(index: VectorIndexing | undefined): string {
  if (index === undefined)
    return 'vector search runs without an index (pgvector 0.8 or newer makes it faster above about 10,000 messages)'
  if (index.failure !== undefined)
    return `pgvector ${index.version} is installed, but its index could not be created: ${index.failure}`
  return `vector search uses pgvector ${index.version} above about 10,000 messages, and no index below`
}

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
  `the replica does not respond, so recall reads from the primary: ${String(trouble)}`

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
      remedy: 'check the server at postgres.replicaUrl; Recollect retries it automatically',
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
