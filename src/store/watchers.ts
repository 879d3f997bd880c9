import type { WorkspaceId } from '../domain/ids.ts'
import type { Change, Watch } from './changes.ts'

/** Watches by workspace. */
export class Watchers {
  readonly #watches = new Map<WorkspaceId, Set<Watch>>()

  /** Returns a function that removes the watch. */
  add(watch: Watch): () => void {
    const { workspace } = watch
    const watches = this.#watches.get(workspace) ?? new Set()
    this.#watches.set(workspace, watches.add(watch))
    return () => {
      watches.delete(watch)
      if (watches.size === 0 && this.#watches.get(workspace) === watches) this.#watches.delete(workspace)
    }
  }

  /** Workspaces with at least one watch. */
  get workspaces(): readonly WorkspaceId[] {
    return [...this.#watches.keys()]
  }

  emit(changes: readonly Change[]): void {
    for (const change of changes)
      for (const { onChange } of [...(this.#watches.get(change.workspace) ?? [])]) onChange(change)
  }

  /** For when changes may have been missed. */
  emitEverything(): void {
    this.emit(this.workspaces.map((workspace) => ({ workspace, kind: 'everything' })))
  }
}
