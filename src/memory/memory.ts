import { MemoryError } from '../domain/errors.ts'
import type { WorkspaceId } from '../domain/ids.ts'
import type { Store } from '../store/store.ts'
import type { CopiedWorkspace, CopyOptions } from './copy.ts'
import { createMaintenance, type Maintenance } from './maintenance.ts'
import { type ConfiguredModels, createModels } from './models.ts'
import { type PageOptions, type PaginatedList, paginateArray } from './paginate.ts'
import { createWorkspace, type MemoryDeps, type Workspace } from './workspace.ts'

/** The workspaces of a store: `memory.workspaces`. */
export interface Workspaces {
  list(options?: PageOptions): PaginatedList<WorkspaceId>
}

/**
 * An open store: what `openMemory` returns. It is also the workspace that the option `workspace` names ("default").
 *
 * @example
 * await using memory = await openMemory(':memory:')
 * const ada = memory.workspace('ada')
 * for await (const id of memory.workspaces.list()) console.log(id)
 */
export interface Memory extends Workspace, AsyncDisposable {
  /** The path or address of the store. */
  readonly location: string
  readonly workspaces: Workspaces
  readonly models: ConfiguredModels
  readonly maintenance: Maintenance
  /** The memory of one user or team in this store. */
  workspace(id: string): Workspace
  /**
   * Copies workspaces to another memory, whatever its store, and compares both sides. What is already there is not
   * copied again, so a copy that was interrupted can be repeated.
   */
  copyTo(other: Memory, options?: CopyOptions): Promise<readonly CopiedWorkspace[]>
  /** Finishes what is in progress and closes the store, with all its workspaces. */
  close(): Promise<void>
}

export function createMemory(parts: MemoryDeps): Memory {
  const { store, options, models } = parts
  const own = createWorkspace(parts, options.workspace)
  const deps = { ...parts, workspace: own.workspaceId, limits: options.limits, rag: options.rag }
  const close = async () => {
    await parts.whenIdle()
    await store.close()
  }
  const memory: Memory = {
    ...own,
    location: store.location,
    workspaces: {
      list: (page) =>
        paginateArray(
          () => store.listWorkspaces(),
          page,
          (id) => id,
        ),
    },
    models: createModels(models),
    maintenance: createMaintenance(deps, parts),
    workspace: (id) => createWorkspace(parts, id),
    async copyTo(other, request) {
      const { copyMemory } = await import('./copy.ts')
      return copyMemory({ memory, store }, { memory: other, store: storeOf(other) }, request)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
  stores.set(memory, store)
  return memory
}

/** The store of each open memory, for copying from one to another. */
const stores = new WeakMap<Memory, Store>()

function storeOf(memory: Memory): Store {
  const store = stores.get(memory)
  if (store !== undefined) return store
  throw new MemoryError('invalid-input', 'copyTo needs a memory that openMemory returned')
}
