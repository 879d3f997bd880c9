// Live updates. Two subscriptions with different reach:
//
// `watch` is for clients: it names what changed in one workspace, and the client reads what it needs.
//  1. Committed only. A change is reported after it can be read, and never when the write failed.
//  2. From every process. Writes of other processes are reported too, a moment later.
//  3. No silent gap. If reports may have been missed (the connection was lost for a while), `everything` is reported
//     instead. A process that is killed may lose reports it had not sent: poll now and then if you must be sure.
//  4. A workspace hears only of itself.
//
// `onCommit` is for parts of this process that follow the store, such as a vector store kept in sync with it.
//  5. Every write of this store object that changed something is passed to each listener once, after its commit and
//     before the call that wrote it resolves.
//  6. An erase waits for what its listeners return, and reports `isScrubbed` only if none of them resolves to false.

import type { WorkspaceId } from '../domain/ids.ts'

/** `knowledge` is facts, entities, preferences, notes; `everything`: read all of it again. */
export type ChangeKind = 'conversation' | 'page' | 'document' | 'knowledge' | 'everything'

export interface Change {
  readonly workspace: WorkspaceId
  readonly kind: ChangeKind
  /** Which one; missing where it may be any of that kind. */
  readonly id?: string
}

export interface Watch {
  readonly workspace: WorkspaceId
  /** Called for what changed since `watch` resolved; a change may be reported more than once. */
  readonly onChange: (change: Change) => void
}

/** One committed write. */
export interface Commit {
  /** The method of the store that wrote it. */
  readonly method: CommitMethod
  readonly changes: readonly Change[]
}

/** The methods that change what a client shows. */
export type CommitMethod =
  | 'append'
  | 'createConversation'
  | 'changeConversation'
  | 'fork'
  | 'commitDerivation'
  | 'dropDerivation'
  | 'saveEdit'
  | 'deleteEdits'
  | 'savePage'
  | 'addQueries'
  | 'flagQuery'
  | 'forgetDocument'
  | 'addDocument'
  | 'importDocument'
  | 'replaceDocument'
  | 'saveChunks'
  | 'attachDocument'
  | 'detachDocument'
  | 'eraseMessage'
  | 'eraseConversations'
  | 'erasePage'
  | 'eraseQuery'
  | 'eraseDocument'
  | 'eraseWorkspace'
  | 'scrub'

/** For an erase: resolves to false if copies of the erased text are left. Ignored for other commits. */
export type CommitListener = (commit: Commit) => void | Promise<boolean>

export interface ChangeStore {
  /** Resolves when changes are reported; with a function that ends it. */
  watch(watch: Watch): Promise<() => void>
  /** Returns a function that removes the listener. */
  onCommit(listener: CommitListener): () => void
}
