import type { WorkspaceId } from '../../domain/ids.ts'
import { type Db, get } from './statement.ts'

interface Numbered {
  readonly number: number
}

export function* findWorkspace(id: WorkspaceId): Db<number | undefined> {
  const row = yield* get<Numbered>('SELECT number FROM workspace WHERE id = $1', id)
  return row?.number
}

/**
 * Returns the workspace, created if it is missing. Locks its row against deletion until the end of the transaction.
 */
export function* createWorkspace(id: WorkspaceId, now: Date): Db<number> {
  const lock = 'SELECT number FROM workspace WHERE id = $1 FOR KEY SHARE'
  for (;;) {
    const found = yield* get<Numbered>(lock, id)
    if (found !== undefined) return found.number
    const created = yield* get<Numbered>(
      'INSERT INTO workspace (id, created_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING RETURNING number',
      id,
      now.getTime(),
    )
    // Undefined if another process created it first.
    if (created !== undefined) return created.number
  }
}
