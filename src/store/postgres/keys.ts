import { MemoryError } from '../../domain/errors.ts'
import type { WorkspaceId } from '../../domain/ids.ts'
import { type KeyRow, toKey } from '../key-rows.ts'
import type { StoredKey } from '../key-store.ts'
import { createWorkspace } from './conversations.ts'
import type { Session } from './session.ts'

const KEYS = 'SELECT k.*, w.id AS workspace_id FROM access_key k JOIN workspace w ON w.number = k.workspace'

export async function addKey(session: Session, key: StoredKey): Promise<void> {
  const added = await session.run(
    `INSERT INTO access_key (workspace, id, name, scope, digest, created_at, last_used_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING`,
    await createWorkspace(session, key.workspace, key.createdAt),
    key.id,
    key.name,
    key.scope,
    key.digest,
    key.createdAt.getTime(),
    key.lastUsedAt?.getTime() ?? null,
  )
  if (added === 0) throw new MemoryError('conflict', `there is a key "${key.id}" already`)
}

export async function findKey(session: Session, id: string): Promise<StoredKey | undefined> {
  const row = await session.get<KeyRow>(`${KEYS} WHERE k.id = $1`, id)
  return row && toKey(row)
}

export async function listKeys(session: Session, workspace?: WorkspaceId): Promise<readonly StoredKey[]> {
  const rows =
    workspace === undefined
      ? await session.all<KeyRow>(`${KEYS} ORDER BY k.number`)
      : await session.all<KeyRow>(`${KEYS} WHERE w.id = $1 ORDER BY k.number`, workspace)
  return rows.map(toKey)
}

export async function noteKeyUse(session: Session, id: string, now: Date): Promise<void> {
  await session.run('UPDATE access_key SET last_used_at = $1 WHERE id = $2', now.getTime(), id)
}

export async function deleteKey(session: Session, workspace: WorkspaceId, id: string): Promise<boolean> {
  const deleted = await session.run(
    'DELETE FROM access_key WHERE workspace = (SELECT number FROM workspace WHERE id = $1) AND id = $2',
    workspace,
    id,
  )
  return deleted > 0
}
