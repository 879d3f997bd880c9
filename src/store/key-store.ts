// The part of the contract that keeps keys. A key belongs to a workspace and goes with it. What proves a key
// is not kept, only its digest: whoever reads the store learns no key.

import type { WorkspaceId } from '../domain/ids.ts'
import type { Key } from '../domain/key.ts'

export interface StoredKey extends Key {
  /** Of the text that proves it. */
  readonly digest: string
}

export interface KeyStore {
  /** Makes the workspace where it is missing. An id that is taken is a conflict, in whatever workspace. */
  addKey(key: StoredKey): Promise<void>
  /** Of whatever workspace: the key says which one its holder may see. */
  findKey(id: string): Promise<StoredKey | undefined>
  /** Of one workspace, or of all; oldest first. */
  listKeys(workspace?: WorkspaceId): Promise<readonly StoredKey[]>
  /** A key that is gone is passed over. */
  noteKeyUse(id: string, now: Date): Promise<void>
  /** Whether there was one. */
  deleteKey(workspace: WorkspaceId, id: string): Promise<boolean>
}
