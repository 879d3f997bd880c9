import type { ConversationId, WorkspaceId } from '../../domain/ids.ts'
import type { Derivation, DerivationKey } from '../derivations.ts'
import { lockRow } from './conversations.ts'
import { countErasure } from './deletion-counters.ts'
import type { Session } from './session.ts'

interface DerivationRow {
  readonly generation: number
  readonly version: string
  readonly is_active: boolean
  readonly revision: number
  readonly cursor: number
  readonly state: string
}

/** The conversation `c` of a workspace and its derivations `d` by one deriver. */
const OF_DERIVER = `FROM workspace w JOIN conversation c ON c.workspace = w.number
  JOIN derivation d ON d.workspace = c.workspace AND d.conversation = c.number
  WHERE w.id = $1 AND c.id = $2 AND d.deriver = $3`

export async function findDerivation(
  session: Session,
  { workspace, conversation, deriver }: DerivationKey,
  generation?: number,
): Promise<Derivation | undefined> {
  const row = await session.get<DerivationRow>(
    `SELECT d.* ${OF_DERIVER} AND ${generation === undefined ? 'd.is_active' : 'd.generation = $4'}`,
    workspace,
    conversation,
    deriver,
    ...(generation === undefined ? [] : [generation]),
  )
  return row && toDerivation(row)
}

export async function listDerivations(
  session: Session,
  { workspace, conversation, deriver }: DerivationKey,
): Promise<readonly Derivation[]> {
  const rows = await session.all<DerivationRow>(
    `SELECT d.* ${OF_DERIVER} ORDER BY d.generation`,
    workspace,
    conversation,
    deriver,
  )
  return rows.map(toDerivation)
}

const ALL_ACTIVE = `SELECT d.*, c.id AS conversation_id FROM workspace w
  JOIN conversation c ON c.workspace = w.number
  JOIN derivation d ON d.workspace = c.workspace AND d.conversation = c.number
  WHERE w.id = $1 AND d.deriver = $2 AND d.is_active`

export async function listActive(
  session: Session,
  workspace: WorkspaceId,
  deriver: string,
): Promise<readonly (Derivation & { readonly conversation: ConversationId })[]> {
  const rows = await session.all<DerivationRow & { conversation_id: ConversationId }>(
    ALL_ACTIVE,
    workspace,
    deriver,
  )
  return rows.map((row) => ({ ...toDerivation(row), conversation: row.conversation_id }))
}

function toDerivation(row: DerivationRow): Derivation {
  const { generation, version, revision, cursor } = row
  return { generation, version, isActive: row.is_active, revision, cursor, state: JSON.parse(row.state) }
}

export async function dropDerivation(
  session: Session,
  key: DerivationKey,
  generation?: number,
): Promise<void> {
  const conversation = await lockRow(session, key)
  if (conversation === undefined) return
  const dropped = await session.run(
    `DELETE FROM derivation WHERE workspace = $1 AND conversation = $2 AND deriver = $3
       AND generation = coalesce($4::int, generation)`,
    conversation.workspace,
    conversation.number,
    key.deriver,
    generation ?? null,
  )
  // A running deriver must not continue with another derivation that is started with the same number.
  if (dropped > 0) await countErasure(session, conversation.workspace)
}

/** For a conversation whose text changed: drops everything that was derived from it. */
export async function dropAllDerivations(
  session: Session,
  { workspace, conversation }: { readonly workspace: number; readonly conversation: number },
): Promise<void> {
  for (const table of ['derivation', 'job']) {
    await session.run(
      `DELETE FROM ${table} WHERE workspace = $1 AND conversation = $2`,
      workspace,
      conversation,
    )
  }
}
