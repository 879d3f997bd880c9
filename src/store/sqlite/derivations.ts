import type { ConversationId, WorkspaceId } from '../../domain/ids.ts'
import type { Derivation, DerivationKey } from '../derivations.ts'
import type { Connection } from './connection.ts'
import { findRow } from './conversations.ts'
import { countErasure } from './deletion-counters.ts'

interface DerivationRow {
  readonly generation: number
  readonly version: string
  readonly is_active: number
  readonly revision: number
  readonly cursor: number
  readonly state: string
}

const OF_DERIVER = `FROM workspace w CROSS JOIN conversation c ON c.workspace = w.number
  CROSS JOIN derivation d ON w.id = ? AND c.id = ? AND d.conversation = c.number AND d.deriver = ?`

/** The conversation `c` of a workspace and its active derivation `d` by one deriver. */
export const ACTIVE: string = `${OF_DERIVER} AND d.is_active = 1`
/** A generation that may not be active yet. */
export const OF_GENERATION: string = `${OF_DERIVER} AND d.generation = ?`

const ALL = `SELECT d.* FROM workspace w JOIN conversation c ON c.workspace = w.number
  JOIN derivation d ON d.conversation = c.number WHERE w.id = ? AND c.id = ? AND d.deriver = ?`

export function findDerivation(
  connection: Connection,
  { workspace, conversation, deriver }: DerivationKey,
  generation?: number,
): Derivation | undefined {
  const row =
    generation === undefined
      ? connection.get<DerivationRow>(`SELECT d.* ${ACTIVE}`, workspace, conversation, deriver)
      : connection.get<DerivationRow>(
          `${ALL} AND d.generation = ?`,
          workspace,
          conversation,
          deriver,
          generation,
        )
  return row && toDerivation(row)
}

export function listDerivations(
  connection: Connection,
  { workspace, conversation, deriver }: DerivationKey,
): readonly Derivation[] {
  return connection
    .all<DerivationRow>(`${ALL} ORDER BY d.generation`, workspace, conversation, deriver)
    .map(toDerivation)
}

const ALL_ACTIVE = `SELECT d.*, c.id AS conversation_id FROM workspace w
  CROSS JOIN conversation c ON c.workspace = w.number
  CROSS JOIN derivation d ON d.conversation = c.number AND d.deriver = ? AND d.is_active = 1 WHERE w.id = ?`

export function listActive(
  connection: Connection,
  workspace: WorkspaceId,
  deriver: string,
): readonly (Derivation & { readonly conversation: ConversationId })[] {
  return connection
    .all<DerivationRow & { conversation_id: ConversationId }>(ALL_ACTIVE, deriver, workspace)
    .map((row) => ({ ...toDerivation(row), conversation: row.conversation_id }))
}

function toDerivation(row: DerivationRow): Derivation {
  const { generation, version, revision, cursor } = row
  return {
    generation,
    version,
    isActive: row.is_active === 1,
    revision,
    cursor,
    state: JSON.parse(row.state),
  }
}

export function dropDerivation(connection: Connection, key: DerivationKey, generation?: number): void {
  const conversation = findRow(connection, key)
  if (conversation === undefined) return
  const { changes } = connection.run(
    'DELETE FROM derivation WHERE conversation = ? AND deriver = ? AND generation = coalesce(?, generation)',
    conversation.number,
    key.deriver,
    generation ?? null,
  )
  // A running deriver must not continue with a new generation that has the same number.
  if (changes > 0) countErasure(connection, conversation.workspace)
}

/** Drops everything derived from a conversation whose content changed. */
export function dropAllDerivations(connection: Connection, conversation: number): void {
  connection.run('DELETE FROM derivation WHERE conversation = ?', conversation)
  connection.run('DELETE FROM job WHERE conversation = ?', conversation)
}
