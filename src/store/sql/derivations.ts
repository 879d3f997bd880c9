import type { ConversationId, WorkspaceId } from '../../domain/ids.ts'
import { knowledgeCommit } from '../commits.ts'
import type { Derivation, DerivationKey, DerivationStore } from '../derivations.ts'
import type { Flag } from '../rows.ts'
import { lockRow } from './conversations.ts'
import { all, type Db, get, run, type SqlAccess } from './statement.ts'

export function toDerivationStore({
  read,
  write,
}: SqlAccess): Pick<
  DerivationStore,
  'erasureVersion' | 'findDerivation' | 'derivations' | 'activeDerivations' | 'dropDerivation'
> {
  return {
    erasureVersion: (workspace) => read(() => readErasureVersion(workspace)),
    findDerivation: (key, generation) => read(() => findDerivation(key, generation)),
    derivations: (key) => read(() => listDerivations(key)),
    activeDerivations: (workspace, deriver) => read(() => listActive(workspace, deriver)),
    dropDerivation: (key, generation) =>
      write(() => dropDerivation(key, generation), knowledgeCommit('dropDerivation', key.workspace)),
  }
}

interface DerivationRow {
  readonly generation: number
  readonly version: string
  readonly is_active: Flag
  readonly revision: number
  readonly cursor: number
  readonly state: string
}

/** The conversation `c` of a workspace and its derivations `d` by one deriver. */
const OF_DERIVER = `FROM workspace w JOIN conversation c ON c.workspace = w.number
  JOIN derivation d ON d.workspace = c.workspace AND d.conversation = c.number
  WHERE w.id = $1 AND c.id = $2 AND d.deriver = $3`

function* findDerivation(
  { workspace, conversation, deriver }: DerivationKey,
  generation?: number,
): Db<Derivation | undefined> {
  const row = yield* get<DerivationRow>(
    `SELECT d.* ${OF_DERIVER} AND ${generation === undefined ? 'd.is_active = TRUE' : 'd.generation = $4'}`,
    workspace,
    conversation,
    deriver,
    ...(generation === undefined ? [] : [generation]),
  )
  return row && toDerivation(row)
}

function* listDerivations({ workspace, conversation, deriver }: DerivationKey): Db<readonly Derivation[]> {
  const rows = yield* all<DerivationRow>(
    `SELECT d.* ${OF_DERIVER} ORDER BY d.generation`,
    workspace,
    conversation,
    deriver,
  )
  return rows.map(toDerivation)
}

function* listActive(
  workspace: WorkspaceId,
  deriver: string,
): Db<readonly (Derivation & { readonly conversation: ConversationId })[]> {
  const rows = yield* all<DerivationRow & { conversation_id: ConversationId }>(
    `SELECT d.*, c.id AS conversation_id FROM workspace w JOIN conversation c ON c.workspace = w.number
     JOIN derivation d ON d.workspace = c.workspace AND d.conversation = c.number
     WHERE w.id = $1 AND d.deriver = $2 AND d.is_active = TRUE`,
    workspace,
    deriver,
  )
  return rows.map((row) => ({ ...toDerivation(row), conversation: row.conversation_id }))
}

function toDerivation(row: DerivationRow): Derivation {
  const { generation, version, revision, cursor } = row
  const isActive = Boolean(row.is_active)
  return { generation, version, isActive, revision, cursor, state: JSON.parse(row.state) }
}

function* dropDerivation(key: DerivationKey, generation?: number): Db<void> {
  const conversation = yield* lockRow(key)
  if (conversation === undefined) return
  const dropped = yield* run(
    `DELETE FROM derivation WHERE workspace = $1 AND conversation = $2 AND deriver = $3
       AND generation = coalesce($4::int, generation)`,
    conversation.workspace,
    conversation.number,
    key.deriver,
    generation ?? null,
  )
  // A running deriver must not continue with a new generation that has the same number.
  if (dropped > 0) yield* countErasure(conversation.workspace)
}

/** Drops everything derived from a conversation whose content changed. */
export function* dropAllDerivations(place: {
  readonly workspace: number
  readonly conversation: number
}): Db<void> {
  for (const table of ['derivation', 'job'])
    yield* run(
      `DELETE FROM ${table} WHERE workspace = $1 AND conversation = $2`,
      place.workspace,
      place.conversation,
    )
}

/** Counts an erase of text and of what was derived from it. */
function* countErasure(workspace: number): Db<void> {
  yield* run(
    `INSERT INTO departure (workspace, kind, count) VALUES ($1, 'words', 1)
     ON CONFLICT (workspace, kind) DO UPDATE SET count = departure.count + 1`,
    workspace,
  )
}

function* readErasureVersion(workspace: WorkspaceId): Db<string> {
  const row = yield* get<VersionRow>(
    `SELECT w.number AS workspace, d.count AS gone FROM workspace w
     LEFT JOIN departure d ON d.workspace = w.number AND d.kind = 'words' WHERE w.id = $1`,
    workspace,
  )
  return row === undefined ? '' : toErasureVersion(row.workspace, row.gone)
}

export interface VersionRow {
  readonly workspace: number
  /** Number of removals. */
  readonly gone: number | null
  /** The highest number of a row. */
  readonly last?: number | null
}

/** Includes the number of the workspace, since another one may be created under the same id. */
export function toErasureVersion(workspace: number, gone: number | null): string {
  return `${workspace}:${gone ?? 0}`
}

/** Changes with every removal, and with every new row. */
export function toVersion(row: VersionRow | undefined): string {
  return row === undefined ? '' : `${toErasureVersion(row.workspace, row.gone)}:${row.last ?? 0}`
}
