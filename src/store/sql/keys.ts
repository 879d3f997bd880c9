import { MemoryError } from '../../domain/errors.ts'
import { type WorkspaceId, workspaceId } from '../../domain/ids.ts'
import type { KeyScope } from '../../domain/key.ts'
import type { KeyStore, StoredKey } from '../key-store.ts'
import { all, type Db, get, run, type SqlAccess } from './statement.ts'
import { createWorkspace } from './workspaces.ts'

export function toKeyStore({ read, write }: SqlAccess): KeyStore {
  return {
    addKey: (key) => write(() => addKey(key)),
    findKey: (id) => read(() => findKey(id)),
    listKeys: (workspace) => read(() => listKeys(workspace)),
    noteKeyUse: (id, now) => write(() => noteKeyUse(id, now)),
    deleteKey: (workspace, id) => write(() => deleteKey(workspace, id)),
  }
}

const KEYS = 'SELECT k.*, w.id AS workspace_id FROM access_key k JOIN workspace w ON w.number = k.workspace'

function* addKey(key: StoredKey): Db<void> {
  const added = yield* run(
    `INSERT INTO access_key (workspace, id, name, scope, digest, created_at, last_used_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING`,
    yield* createWorkspace(key.workspace, key.createdAt),
    key.id,
    key.name,
    key.scope,
    key.digest,
    key.createdAt.getTime(),
    key.lastUsedAt?.getTime() ?? null,
  )
  if (added === 0) throw new MemoryError('conflict', `there is a key "${key.id}" already`)
}

function* findKey(id: string): Db<StoredKey | undefined> {
  const row = yield* get<KeyRow>(`${KEYS} WHERE k.id = $1`, id)
  return row && toKey(row)
}

function* listKeys(workspace?: WorkspaceId): Db<readonly StoredKey[]> {
  const rows =
    workspace === undefined
      ? yield* all<KeyRow>(`${KEYS} ORDER BY k.number`)
      : yield* all<KeyRow>(`${KEYS} WHERE w.id = $1 ORDER BY k.number`, workspace)
  return rows.map(toKey)
}

function* noteKeyUse(id: string, now: Date): Db<void> {
  yield* run('UPDATE access_key SET last_used_at = $1 WHERE id = $2', now.getTime(), id)
}

function* deleteKey(workspace: WorkspaceId, id: string): Db<boolean> {
  const deleted = yield* run(
    'DELETE FROM access_key WHERE workspace = (SELECT number FROM workspace WHERE id = $1) AND id = $2',
    workspace,
    id,
  )
  return deleted > 0
}

interface KeyRow {
  readonly id: string
  readonly workspace_id: string
  readonly name: string
  readonly scope: string
  readonly digest: string
  readonly created_at: number
  readonly last_used_at: number | null
}

function toKey(row: KeyRow): StoredKey {
  return {
    id: row.id,
    workspace: workspaceId(row.workspace_id),
    name: row.name,
    scope: row.scope as KeyScope,
    digest: row.digest,
    createdAt: new Date(row.created_at),
    ...(row.last_used_at !== null && { lastUsedAt: new Date(row.last_used_at) }),
  }
}
