// Live updates: whoever watches is told what changed, by name only, and reads what it wants to know.
//
//  1. Committed only. Nothing is told that was not written, and nothing before it can be read.
//  2. By whomever. What other processes write is told too, a moment later.
//  3. No silent gap. Where something may have been missed (the way to the store was lost for a while), `everything`
//     is told in its place. A process that is killed may take what it did not tell yet along: whoever has to be sure
//     looks again now and then.
//  4. A workspace hears only of itself.

import type { WorkspaceId } from '../domain/ids.ts'

/** `knowledge` is facts, entities, preferences, notes; `everything`: look at all of it again. */
export type ChangeKind = 'conversation' | 'page' | 'document' | 'knowledge' | 'everything'

export interface Change {
  readonly workspace: WorkspaceId
  readonly kind: ChangeKind
  /** Which one; missing where it may be any of that kind. */
  readonly id?: string
}

export interface Watch {
  readonly workspace: WorkspaceId
  /** Called for what changed since `watch` resolved; the same may be told more than once. */
  readonly onChange: (change: Change) => void
}

export interface ChangeStore {
  /** Resolves when changes are told; with how to end it. */
  watch(watch: Watch): Promise<() => void>
}
