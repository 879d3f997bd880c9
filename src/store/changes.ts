// Live updates. There are two kinds of subscription:
//
// `watch` is for clients: it names what changed in one workspace, and the client reads what it needs.
//  1. Committed only. A change is reported after it can be read, and never when the write failed.
//  2. From every process. Writes of other processes are reported too, with a short delay.
//  3. No silent gap. If reports may have been missed (the connection was lost for a while), `everything` is
//     reported instead. A process that is killed may lose reports it had not sent: poll occasionally if you must be
//     sure.
//  4. A watch receives only changes of its workspace.
//
// `onCommit` is for parts of this process that follow the store, such as a vector store kept in sync with it.
//  5. Every write of this store object that changed something is passed to each listener once, after its commit and
//     before the call that wrote it resolves.
//  6. An erase awaits its listeners, and reports `isScrubbed` only if none of them resolves to false.

import type { WorkspaceId } from '../domain/ids.ts'

/** `knowledge`: facts, entities, preferences and notes. `everything`: reload all data. */
export type ChangeKind = 'conversation' | 'page' | 'document' | 'knowledge' | 'everything'

export interface Change {
  readonly workspace: WorkspaceId
  readonly kind: ChangeKind
  /** Id of the changed object; missing if any object of that kind may have changed. */
  readonly id?: string
}

export interface Watch {
  readonly workspace: WorkspaceId
  /** Called for changes since `watch` resolved. A change may be reported more than once. */
  readonly onChange: (change: Change) => void
}

/** One committed write. */
export interface Commit {
  /** The store method that made the write. */
  readonly method: CommitMethod
  readonly changes: readonly Change[]
}

/** The methods that change data shown by clients. */
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
// biome-ignore lint/suspicious/noConfusingVoidType: most listeners return nothing
export type CommitListener = (commit: Commit) => void | Promise<boolean>

export interface ChangeStore {
  /** Resolves once changes are being reported, with a function that stops watching. */
  watch(watch: Watch): Promise<() => void>
  /** Returns a function that removes the listener. */
  onCommit(listener: CommitListener): () => void
}
