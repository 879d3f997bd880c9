// Commits a step of a derivation. This runs for every message, so it uses few statements, and it writes nothing until
// it is sure that everything can be written. A commit locks the row of the conversation, and so does an erase.

import type { DerivationCommit } from '../derivations.ts'
import { needLocked, renewTitle } from '../sql/conversations.ts'
import { toErasureVersion } from '../sql/derivations.ts'
import { addJob, findHeld, finishJob } from '../sql/jobs.ts'
import { type DerivationNumber, dropItems, holdNumbers, putItems } from './derived-items.ts'
import { execute } from './execute.ts'
import { putReadings } from './readings.ts'
import type { Session } from './session.ts'
import { noteDeriver } from './stale.ts'

/** The derivation to commit to, in its current state. */
interface Target {
  readonly workspace: number
  readonly conversation: number
  readonly messageCount: number
  readonly isMemoryOn: boolean
  /** Number of erasures in the workspace so far. */
  readonly gone: number | null
  readonly derivation: number | null
  readonly version: string | null
  readonly is_active: boolean | null
  readonly revision: number | null
}

/** Writes everything that a range of messages changed, or nothing if another process committed first. */
export async function commitDerivation(session: Session, commit: DerivationCommit): Promise<boolean> {
  const target = await lockTarget(session, commit)
  const job = commit.finishes && (await execute(session, findHeld(commit.finishes)))
  if (commit.finishes !== undefined && job === undefined) return false
  const isOthers = job !== undefined && job.conversation !== target.conversation
  if (isOthers || !isAsRead(target, commit)) return false
  await writeAll(session, target, commit)
  return true
}

/** Uses two statements, so that the second sees what was committed while the first waited. */
async function lockTarget(session: Session, commit: DerivationCommit): Promise<Target> {
  const row = await execute(session, needLocked(commit))
  const found = await session.get<Omit<Target, 'workspace' | 'conversation' | 'messageCount' | 'isMemoryOn'>>(
    `SELECT e.count AS gone, d.number AS derivation, d.version, d.is_active, d.revision
     FROM (SELECT $1::bigint AS workspace) w LEFT JOIN departure e ON e.workspace = w.workspace AND e.kind = 'words'
     LEFT JOIN derivation d ON d.workspace = w.workspace AND d.conversation = $2 AND d.deriver = $3 AND d.generation = $4`,
    row.workspace,
    row.number,
    commit.deriver,
    commit.generation,
  )
  const nothing = { gone: null, derivation: null, version: null, is_active: null, revision: null }
  return {
    workspace: row.workspace,
    conversation: row.number,
    messageCount: row.message_count,
    isMemoryOn: Boolean(row.is_memory_on),
    ...(found ?? nothing),
  }
}

/** Whether nothing has changed since the deriver read it. */
function isAsRead(target: Target, { revision, cursor, erasureVersion }: DerivationCommit): boolean {
  if ((target.revision ?? 0) !== revision) return false
  if (cursor > target.messageCount || !target.isMemoryOn) return false
  return erasureVersion === undefined || erasureVersion === toErasureVersion(target.workspace, target.gone)
}

async function writeAll(session: Session, target: Target, commit: DerivationCommit): Promise<void> {
  const { workspace } = target
  const counted = findCounted(target, commit)
  if (counted.size > 0) await holdNumbers(session, workspace, counted)
  const place = { workspace, derivation: await advance(session, target, commit) }
  await mergeTopics(session, place, commit)
  await putReadings(session, place, commit.readings ?? [])
  await dropItems(session, place, commit.drop ?? [])
  const conversation = { workspace, number: target.conversation }
  for (const job of commit.jobs ?? []) await execute(session, addJob(conversation, job, commit.now))
  if (commit.finishes !== undefined) await execute(session, finishJob(commit.finishes))
  if (commit.title !== undefined) await execute(session, renewTitle(commit, commit.title))
  // Last, because the item numbers of the workspace are locked from here to the commit.
  await putItems(session, place, commit.put ?? [])
}

const KINDS = ['topic', 'summary', 'statement', 'entity', 'note'] as const

/**
 * The kinds of items whose counters change: kinds with removed items, which triggers count, and kinds with new items,
 * so that all are locked in one order. If a generation becomes active, all kinds change.
 */
function findCounted(target: Target, { drop = [], put = [], isActive }: DerivationCommit): Set<string> {
  const isSwap = isActive && target.is_active !== true && target.revision !== null
  if (isSwap) return new Set(KINDS)
  return drop.length === 0 ? new Set() : new Set([...drop, ...put].map(({ kind }) => kind))
}

async function mergeTopics(
  session: Session,
  { workspace, derivation }: DerivationNumber,
  { merges = [] }: DerivationCommit,
): Promise<void> {
  for (const { from, into } of merges) {
    await session.run(
      'UPDATE reading SET topic = $1 WHERE workspace = $2 AND derivation = $3 AND topic = $4',
      into,
      workspace,
      derivation,
      from,
    )
  }
}

/** Returns the number of the derivation after moving it to the cursor of the commit. */
async function advance(session: Session, target: Target, commit: DerivationCommit): Promise<number> {
  if (commit.isActive && target.is_active !== true) await dropOthers(session, target, commit)
  return target.derivation === null ? begin(session, target, commit) : goOn(session, target, commit)
}

async function dropOthers(
  session: Session,
  { workspace, conversation }: Target,
  { deriver, generation }: DerivationCommit,
): Promise<void> {
  await session.run(
    `DELETE FROM derivation WHERE workspace = $1 AND conversation = $2 AND deriver = $3 AND generation <> $4`,
    workspace,
    conversation,
    deriver,
    generation,
  )
}

async function begin(session: Session, target: Target, commit: DerivationCommit): Promise<number> {
  await noteDeriver(session, commit.deriver)
  const row = await session.get<{ number: number }>(
    `INSERT INTO derivation (workspace, conversation, deriver, generation, version, is_active, revision, cursor, state)
     VALUES ($1, $2, $3, $4, $5, $6, 1, $7, $8) RETURNING number`,
    target.workspace,
    target.conversation,
    commit.deriver,
    commit.generation,
    commit.version,
    commit.isActive,
    commit.cursor,
    JSON.stringify(commit.state),
  )
  return (row as { number: number }).number
}

async function goOn(session: Session, target: Target, commit: DerivationCommit): Promise<number> {
  const number = target.derivation as number
  await session.run(
    'UPDATE derivation SET revision = revision + 1, cursor = $3, state = $4 WHERE workspace = $1 AND number = $2',
    target.workspace,
    number,
    commit.cursor,
    JSON.stringify(commit.state),
  )
  const isSeenNow = commit.isActive && target.is_active !== true
  // In a separate statement, because these columns are indexed and rarely change.
  if (commit.version !== target.version || isSeenNow) {
    await session.run(
      'UPDATE derivation SET version = $3, is_active = is_active OR $4 WHERE workspace = $1 AND number = $2',
      target.workspace,
      number,
      commit.version,
      isSeenNow,
    )
  }
  return number
}
