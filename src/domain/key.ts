import type { WorkspaceId } from './ids.ts'

/** What a key allows: reading metrics of the whole server, reading, reading and writing, or everything. */
export type KeyScope = 'metrics' | 'read' | 'write' | 'admin'

export const KEY_SCOPES: readonly KeyScope[] = ['metrics', 'read', 'write', 'admin']

/** An API key for one workspace. The secret is returned once, when the key is created. */
export interface Key {
  readonly id: string
  readonly workspace: WorkspaceId
  /** Its purpose, as described by its owner. */
  readonly name: string
  readonly scope: KeyScope
  readonly createdAt: Date
  /** Accurate to the minute; missing if it was never used. */
  readonly lastUsedAt?: Date
}
