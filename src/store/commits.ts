// What each write of a store changes, and the hook that a store calls once the write is committed. Methods that are
// not listed here change nothing that clients show.

import type { ConversationId, ConversationKey, WorkspaceId } from '../domain/ids.ts'
import type { Change, ChangeKind, Commit, CommitListener, CommitMethod, Watch } from './changes.ts'
import type { DerivationCommit } from './derivations.ts'
import type { DocumentKey } from './document-store.ts'
import type { PageKey } from './page-store.ts'
import type { Erased } from './store.ts'

/** Calls the listeners of `onCommit`. */
export class CommitHook {
  readonly #listeners = new Set<CommitListener>()

  /** Returns a function that removes the listener. */
  add(listener: CommitListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  emit(commit: Commit): void {
    for (const listener of this.#listeners) void listener(commit)
  }

  /**
   * Like `emit`, for an erase, which awaits its listeners. Resolves to false if one of them still holds erased
   * text.
   */
  async emitErase(commit: Commit): Promise<boolean> {
    const results = await Promise.all(Array.from(this.#listeners, (listener) => listener(commit)))
    return results.every((isDone) => isDone !== false)
  }

  /** Runs a write, then emits its commit. Nothing is emitted for a write that fails or changed nothing. */
  async write<T>(work: Promise<T>, commit: Committed<T>): Promise<T> {
    const result = await work
    const done = typeof commit === 'function' ? commit(result) : commit
    if (done !== undefined) this.emit(done)
    return result
  }

  async erase(work: Promise<Erased>, commit: Commit): Promise<Erased> {
    const erased = await work
    const isDone = await this.emitErase(commit)
    return { ...erased, isScrubbed: erased.isScrubbed && isDone }
  }

  async scrub(work: Promise<boolean>): Promise<boolean> {
    const isScrubbed = await work
    return (await this.emitErase({ method: 'scrub', changes: [] })) && isScrubbed
  }
}

/** A commit, or a function that derives it from the result of the write; undefined if nothing changed. */
export type Committed<T> = Commit | ((result: T) => Commit | undefined)

const commit = (method: CommitMethod, ...changes: readonly Change[]): Commit => ({ method, changes })

const change = (workspace: WorkspaceId, kind: ChangeKind, id?: string): Change => ({
  workspace,
  kind,
  ...(id !== undefined && { id }),
})

export function conversationCommit(method: CommitMethod, key: ConversationKey): Commit {
  return commit(method, change(key.workspace, 'conversation', key.conversation))
}

export function forkCommit({ workspace, into }: { workspace: WorkspaceId; into: ConversationId }): Commit {
  return commit('fork', change(workspace, 'conversation', into))
}

export function derivationCommit(written: DerivationCommit): (isDone: boolean) => Commit | undefined {
  const { workspace, conversation, put = [], drop = [] } = written
  const changes = [change(workspace, 'conversation', conversation)]
  if (put.length + drop.length > 0) changes.push(change(workspace, 'knowledge'))
  return (isDone) => (isDone ? commit('commitDerivation', ...changes) : undefined)
}

export function knowledgeCommit(method: CommitMethod, workspace: WorkspaceId): Commit {
  return commit(method, change(workspace, 'knowledge'))
}

export function deletedEditsCommit(workspace: WorkspaceId): (deleted: number) => Commit | undefined {
  return (deleted) => (deleted > 0 ? knowledgeCommit('deleteEdits', workspace) : undefined)
}

/** Omit the page if the caller does not know which one changed. */
export function pageCommit(
  method: CommitMethod,
  { workspace, page }: Pick<PageKey, 'workspace'> & Partial<PageKey>,
): Commit {
  return commit(method, change(workspace, 'page', page))
}

/** Omit the document if the caller does not know its id yet. */
export function documentCommit(
  method: CommitMethod,
  { workspace, document }: Pick<DocumentKey, 'workspace'> & Partial<DocumentKey>,
): Commit {
  return commit(method, change(workspace, 'document', document))
}

export function chunksCommit(key: DocumentKey): (isDone: boolean) => Commit | undefined {
  return (isDone) => (isDone ? documentCommit('saveChunks', key) : undefined)
}

/** Erased text may have been shown anywhere in the workspace. */
export function eraseCommit(method: CommitMethod, ...workspaces: readonly WorkspaceId[]): Commit {
  return commit(method, ...Array.from(new Set(workspaces), (workspace) => change(workspace, 'everything')))
}

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
