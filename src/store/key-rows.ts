import { workspaceId } from '../domain/ids.ts'
import type { KeyScope } from '../domain/key.ts'
import type { StoredKey } from './key-store.ts'

export interface KeyRow {
  readonly id: string
  readonly workspace_id: string
  readonly name: string
  readonly scope: string
  readonly digest: string
  readonly created_at: number
  readonly last_used_at: number | null
}

export function toKey(row: KeyRow): StoredKey {
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
