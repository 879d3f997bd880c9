import { MemoryError } from '../../domain/errors.ts'
import type { WorkspaceId } from '../../domain/ids.ts'
import { type KeyRow, toKey } from '../key-rows.ts'
import type { StoredKey } from '../key-store.ts'
import type { Connection } from './connection.ts'
import { createWorkspace } from './conversations.ts'

const KEYS = 'SELECT k.*, w.id AS workspace_id FROM access_key k JOIN workspace w ON w.number = k.workspace'

export function addKey(connection: Connection, key: StoredKey): void {
  if (findKey(connection, key.id) !== undefined)
    throw new MemoryError('conflict', `there is a key "${key.id}" already`)
  connection.run(
    `INSERT INTO access_key (workspace, id, name, scope, digest, created_at, last_used_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    createWorkspace(connection, key.workspace, key.createdAt),
    key.id,
    key.name,
    key.scope,
    key.digest,
    key.createdAt.getTime(),
    key.lastUsedAt?.getTime() ?? null,
  )
}

export function findKey(connection: Connection, id: string): StoredKey | undefined {
  const row = connection.get<KeyRow>(`${KEYS} WHERE k.id = ?`, id)
  return row && toKey(row)
}

export function listKeys(connection: Connection, workspace?: WorkspaceId): readonly StoredKey[] {
  const rows =
    workspace === undefined
      ? connection.all<KeyRow>(`${KEYS} ORDER BY k.number`)
      : connection.all<KeyRow>(`${KEYS} WHERE w.id = ? ORDER BY k.number`, workspace)
  return rows.map(toKey)
}

export function noteKeyUse(connection: Connection, id: string, now: Date): void {
  connection.run('UPDATE access_key SET last_used_at = ? WHERE id = ?', now.getTime(), id)
}

export function deleteKey(connection: Connection, workspace: WorkspaceId, id: string): boolean {
  const { changes } = connection.run(
    'DELETE FROM access_key WHERE id = ? AND workspace = (SELECT number FROM workspace WHERE id = ?)',
    id,
    workspace,
  )
  return changes > 0
}
