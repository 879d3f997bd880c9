import type { WorkspaceId } from '../domain/ids.ts'

/** How many workspaces of a store are kept; a server with more reads anew. */
const MOST_WORKSPACES = 16

interface Place {
  /** What the value was read from. */
  readonly store: object
  readonly workspace: WorkspaceId
  /** Of what it was read from: another version, another value. */
  readonly version: string
}

/** Keeps what was worked out from a store for as long as its version stands. */
export class VersionedCache<Value> {
  readonly #stores = new WeakMap<object, Map<WorkspaceId, { version: string; value: Value }>>()

  async read({ store, workspace, version }: Place, make: () => Promise<Value>): Promise<Value> {
    const values = this.#stores.get(store) ?? new Map<WorkspaceId, { version: string; value: Value }>()
    this.#stores.set(store, values)
    const known = values.get(workspace)
    const value = known?.version === version ? known.value : await make()
    values.delete(workspace)
    values.set(workspace, { version, value })
    const [oldest] = values.keys()
    if (values.size > MOST_WORKSPACES && oldest !== undefined) values.delete(oldest)
    return value
  }
}
