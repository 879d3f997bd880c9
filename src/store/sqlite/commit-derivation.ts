// Runs for every message, so it uses few statements and writes nothing before all checks have passed.

import type { DerivationCommit, MessageAnnotation } from '../derivations.ts'
import { needRow, renewTitle } from '../sql/conversations.ts'
import { toErasureVersion } from '../sql/derivations.ts'
import { addJob, findHeld, finishJob } from '../sql/jobs.ts'
import { toSmallBytes } from '../vector-bytes.ts'
import type { Connection } from './connection.ts'
import { dropItem, putItem } from './derived-items.ts'
import { execute } from './dialect.ts'
import { toPlace } from './readings.ts'
import { putSketch } from './recall/stored-sketches.ts'
import { noteDeriver } from './stale.ts'

/** The current state that a commit is checked against. */
interface Target {
  readonly workspace: number
  readonly conversation: number
  readonly message_count: number
  readonly is_memory_on: number
  /** Number of erases in the workspace. */
  readonly gone: number | null
  readonly derivation: number | null
  readonly version: string | null
  readonly is_active: number | null
  readonly revision: number | null
}

/** Writes everything that a range of messages changed, or nothing if another commit came first. */
export function commitDerivation(connection: Connection, commit: DerivationCommit): boolean {
  const job = commit.finishes && execute(connection, findHeld(commit.finishes))
  if (commit.finishes !== undefined && job === undefined) return false
  const target = findTarget(connection, commit)
  const isOthers = job !== undefined && job.conversation !== target.conversation
  if (isOthers || !isAsRead(target, commit)) return false
  writeAll(connection, target, commit)
  return true
}

function writeAll(connection: Connection, target: Target, commit: DerivationCommit): void {
  const derivation = advance(connection, target, commit)
  putReadings(connection, derivation, commit)
  for (const item of commit.drop ?? []) dropItem(connection, derivation, item)
  const place = { workspace: target.workspace, derivation }
  for (const item of commit.put ?? []) putItem(connection, place, item)
  const conversation = { workspace: target.workspace, number: target.conversation }
  for (const job of commit.jobs ?? []) execute(connection, addJob(conversation, job, commit.now))
  if (commit.finishes !== undefined) execute(connection, finishJob(commit.finishes))
  if (commit.title !== undefined) execute(connection, renewTitle(commit, commit.title))
}

function findTarget(connection: Connection, commit: DerivationCommit): Target {
  const found = connection.get<Target>(
    `SELECT c.workspace, c.number AS conversation, c.message_count, c.is_memory_on, e.count AS gone,
       d.number AS derivation, d.version, d.is_active, d.revision
     FROM workspace w JOIN conversation c ON c.workspace = w.number AND c.id = ?
     LEFT JOIN departure e ON e.workspace = w.number AND e.kind = 'words'
     LEFT JOIN derivation d ON d.conversation = c.number AND d.deriver = ? AND d.generation = ?
     WHERE w.id = ?`,
    commit.conversation,
    commit.deriver,
    commit.generation,
    commit.workspace,
  )
  if (found === undefined) execute(connection, needRow(commit))
  return found as Target
}

/** Whether nothing has changed since the deriver read it. */
function isAsRead(target: Target, { revision, cursor, erasureVersion }: DerivationCommit): boolean {
  if ((target.revision ?? 0) !== revision) return false
  if (cursor > target.message_count || target.is_memory_on === 0) return false
  return erasureVersion === undefined || erasureVersion === toErasureVersion(target.workspace, target.gone)
}

/** Moves the derivation to the commit's cursor and returns its number. */
function advance(connection: Connection, target: Target, commit: DerivationCommit): number {
  if (commit.isActive && target.is_active !== 1) dropOthers(connection, target, commit)
  return target.derivation === null ? begin(connection, target, commit) : goOn(connection, target, commit)
}

function dropOthers(
  connection: Connection,
  { conversation }: Target,
  { deriver, generation }: DerivationCommit,
): void {
  connection.run(
    'DELETE FROM derivation WHERE conversation = ? AND deriver = ? AND generation <> ?',
    conversation,
    deriver,
    generation,
  )
}

function begin(connection: Connection, target: Target, commit: DerivationCommit): number {
  noteDeriver(connection, commit.deriver)
  return connection.run(
    `INSERT INTO derivation (workspace, conversation, deriver, generation, version, is_active, revision, cursor, state)
     VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?)`,
    target.workspace,
    target.conversation,
    commit.deriver,
    commit.generation,
    commit.version,
    Number(commit.isActive),
    commit.cursor,
    JSON.stringify(commit.state),
  ).rowid
}

function goOn(connection: Connection, target: Target, commit: DerivationCommit): number {
  const number = target.derivation as number
  connection.run(
    'UPDATE derivation SET revision = revision + 1, cursor = ?, state = ? WHERE number = ?',
    commit.cursor,
    JSON.stringify(commit.state),
    number,
  )
  // In a separate statement, since these columns are indexed and rarely change.
  if (commit.version !== target.version)
    connection.run('UPDATE derivation SET version = ? WHERE number = ?', commit.version, number)
  if (commit.isActive && target.is_active !== 1)
    connection.run('UPDATE derivation SET is_active = 1 WHERE number = ?', number)
  return number
}

function putReadings(
  connection: Connection,
  derivation: number,
  { merges = [], readings = [] }: DerivationCommit,
): void {
  for (const { from, into } of merges) {
    connection.run('UPDATE reading SET topic = ? WHERE derivation = ? AND topic = ?', into, derivation, from)
  }
  for (const reading of readings) putReading(connection, derivation, reading)
}

function putReading(connection: Connection, derivation: number, reading: MessageAnnotation): void {
  connection.run(
    `INSERT INTO reading (place, topic, vector) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET topic = excluded.topic, vector = coalesce(excluded.vector, vector)`,
    toPlace(derivation, reading.position),
    reading.topic,
    reading.vector === undefined ? null : toSmallBytes(reading.vector),
  )
  if (reading.vector !== undefined) putSketch(connection, derivation, { ...reading, vector: reading.vector })
}
