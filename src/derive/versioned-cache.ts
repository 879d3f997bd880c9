import type { WorkspaceId } from '../domain/ids.ts'

/** Maximum number of cached workspaces per store. */
const MOST_WORKSPACES = 16

interface Place {
  /** The store that the value was read from. */
  readonly store: object
  readonly workspace: WorkspaceId
  /** Version of the data. A different version means a different value. */
  readonly version: string
}

/** Caches a value derived from a store until the version of the data changes. */
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
