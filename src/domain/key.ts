import type { WorkspaceId } from './ids.ts'

/** What the holder of a key may do: look at figures of the whole server, read, write as well, or everything. */
export type KeyScope = 'metrics' | 'read' | 'write' | 'admin'

export const KEY_SCOPES: readonly KeyScope[] = ['metrics', 'read', 'write', 'admin']

/** A key to one workspace. The text that proves it is told once, when it is made. */
export interface Key {
  readonly id: string
  readonly workspace: WorkspaceId
  /** What it is for, in its owner's words. */
  readonly name: string
  readonly scope: KeyScope
  readonly createdAt: Date
  /** To the minute; missing for one that was never used. */
  readonly lastUsedAt?: Date
}
