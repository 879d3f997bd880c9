import type { ConversationKey } from '../../domain/ids.ts'
import { conversationId, workspaceId } from '../../domain/ids.ts'
import type {
  Derivation,
  DerivationCommit,
  DerivationKey,
  Reading,
  ReadingList,
  UnderivedList,
} from '../derivations.ts'
import type { Connection } from './connection.ts'
import { findRow, needRow } from './conversations.ts'
import { putItems } from './derived-items.ts'
import { addJob, isHeld, removeJob } from './jobs.ts'
import type { ConversationRow } from './rows.ts'
import { fromSmallBytes, toSmallBytes } from './vector-bytes.ts'

interface DerivationRow {
  readonly number: number
  readonly generation: number
  readonly version: string
  readonly is_active: number
  readonly revision: number
  readonly cursor: number
  readonly state: string
}

export function findDerivation(
  connection: Connection,
  key: DerivationKey,
  generation?: number,
): Derivation | undefined {
  const row = findRowOf(connection, key, generation)
  return row && toDerivation(row)
}

export function listDerivations(connection: Connection, key: DerivationKey): readonly Derivation[] {
  const conversation = findRow(connection, key)
  if (conversation === undefined) return []
  return connection
    .all<DerivationRow>(
      'SELECT * FROM derivation WHERE conversation = ? AND deriver = ? ORDER BY generation',
      conversation.number,
      key.deriver,
    )
    .map(toDerivation)
}

function findRowOf(
  connection: Connection,
  key: DerivationKey,
  generation: number | undefined,
): DerivationRow | undefined {
  return connection.get<DerivationRow>(
    `SELECT d.* FROM derivation d JOIN conversation c ON c.number = d.conversation
     JOIN workspace w ON w.number = c.workspace
     WHERE w.id = ? AND c.id = ? AND d.deriver = ? AND ${generation === undefined ? 'd.is_active = ?' : 'd.generation = ?'}`,
    key.workspace,
    key.conversation,
    key.deriver,
    generation ?? 1,
  )
}

function toDerivation(row: DerivationRow): Derivation {
  const { generation, version, revision, cursor } = row
  return {
    generation,
    version,
    revision,
    cursor,
    isActive: row.is_active === 1,
    state: JSON.parse(row.state),
  }
}

/** Everything that a stretch of messages changed, or nothing where another was faster. */
export function commitDerivation(connection: Connection, commit: DerivationCommit): boolean {
  if (commit.finishes !== undefined && !isHeld(connection, commit.finishes)) return false
  const conversation = needRow(connection, commit)
  const number = advance(connection, conversation, commit)
  if (number === undefined) return false
  putReadings(connection, number, commit)
  putItems(connection, { workspace: conversation.workspace, derivation: number }, commit)
  for (const job of commit.jobs ?? []) addJob(connection, conversation, { job, now: commit.now })
  if (commit.isActive) dropOthers(connection, conversation, { ...commit, number })
  if (commit.finishes !== undefined) removeJob(connection, commit.finishes)
  return true
}

function putReadings(connection: Connection, derivation: number, commit: DerivationCommit): void {
  for (const { from, into } of commit.merges ?? []) {
    connection.run('UPDATE reading SET topic = ? WHERE derivation = ? AND topic = ?', into, derivation, from)
  }
  for (const reading of commit.readings ?? []) putReading(connection, derivation, reading)
}

/** The number of the derivation, moved on to the commit's cursor; undefined where it is not at its revision. */
function advance(
  connection: Connection,
  conversation: ConversationRow,
  commit: DerivationCommit,
): number | undefined {
  if (commit.revision === 0) return begin(connection, conversation, commit)
  return connection.get<{ number: number }>(
    `UPDATE derivation SET revision = revision + 1, cursor = ?, state = ?, version = ?, is_active = ?
     WHERE conversation = ? AND deriver = ? AND generation = ? AND revision = ? RETURNING number`,
    commit.cursor,
    JSON.stringify(commit.state),
    commit.version,
    Number(commit.isActive),
    conversation.number,
    commit.deriver,
    commit.generation,
    commit.revision,
  )?.number
}

function begin(
  connection: Connection,
  conversation: ConversationRow,
  commit: DerivationCommit,
): number | undefined {
  const { changes, rowid } = connection.run(
    `INSERT INTO derivation (workspace, conversation, deriver, generation, version, is_active, revision, cursor, state)
     VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?) ON CONFLICT DO NOTHING`,
    conversation.workspace,
    conversation.number,
    commit.deriver,
    commit.generation,
    commit.version,
    Number(commit.isActive),
    commit.cursor,
    JSON.stringify(commit.state),
  )
  return changes === 0 ? undefined : rowid
}

function putReading(connection: Connection, derivation: number, reading: Reading): void {
  connection.run(
    `INSERT INTO reading (derivation, position, topic, vector) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET topic = excluded.topic, vector = coalesce(excluded.vector, vector)`,
    derivation,
    reading.position,
    reading.topic,
    reading.vector === undefined ? null : toSmallBytes(reading.vector),
  )
}

function dropOthers(
  connection: Connection,
  conversation: ConversationRow,
  { deriver, number }: { readonly deriver: string; readonly number: number },
): void {
  connection.run(
    'DELETE FROM derivation WHERE conversation = ? AND deriver = ? AND number <> ?',
    conversation.number,
    deriver,
    number,
  )
}

export function dropDerivation(connection: Connection, key: DerivationKey, generation?: number): void {
  const conversation = findRow(connection, key)
  if (conversation === undefined) return
  connection.run(
    `DELETE FROM derivation WHERE conversation = ? AND deriver = ? AND generation = coalesce(?, generation)`,
    conversation.number,
    key.deriver,
    generation ?? null,
  )
}

/** For a conversation whose words changed: nothing that was made of them stays. */
export function dropAllDerivations(connection: Connection, conversation: number): void {
  connection.run('DELETE FROM derivation WHERE conversation = ?', conversation)
  connection.run('DELETE FROM job WHERE conversation = ?', conversation)
}

export function readReadings(connection: Connection, list: ReadingList): readonly Reading[] {
  const row = findRowOf(connection, list, list.generation)
  if (row === undefined) return []
  const rows = connection.all<{ position: number; topic: number; vector: Uint8Array | null }>(
    `SELECT position, topic, ${list.withVectors === true ? 'vector' : 'NULL AS vector'} FROM reading WHERE derivation = ? AND position > ? AND position < ?
       ${list.topic === undefined ? 'AND ? IS NULL' : 'AND topic = ?'} ORDER BY position LIMIT ?`,
    row.number,
    list.after ?? -1,
    list.before ?? Number.MAX_SAFE_INTEGER,
    list.topic ?? null,
    list.limit,
  )
  return rows.map(({ position, topic, vector }) => ({
    position,
    topic,
    ...(vector !== null && { vector: fromSmallBytes(vector) }),
  }))
}

/** Conversations that the deriver has yet to read to their end, last used first. */
export function findUnderived(connection: Connection, wanted: UnderivedList): readonly ConversationKey[] {
  return connection
    .all<{ workspace: string; conversation: string }>(
      `SELECT w.id AS workspace, c.id AS conversation FROM conversation c JOIN workspace w ON w.number = c.workspace
       LEFT JOIN derivation d ON d.conversation = c.number AND d.deriver = ? AND d.is_active = 1
       WHERE c.is_memory_on = 1 AND c.message_count > 0
         AND (c.message_count - coalesce(d.cursor, 0) >= ? OR (d.number IS NOT NULL AND d.version <> ?))
       ORDER BY c.last_used_at DESC, c.number LIMIT ?`,
      wanted.deriver,
      wanted.behind,
      wanted.version,
      wanted.limit,
    )
    .map((row) => ({
      workspace: workspaceId(row.workspace),
      conversation: conversationId(row.conversation),
    }))
}
