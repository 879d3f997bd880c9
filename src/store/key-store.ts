// The part of the contract that keeps API keys. A key belongs to a workspace and is deleted with it. Only a digest
// of the secret is stored, so reading the store reveals no key.

import type { WorkspaceId } from '../domain/ids.ts'
import type { Key } from '../domain/key.ts'

export interface StoredKey extends Key {
  /** Digest of the secret. */
  readonly digest: string
}

export interface KeyStore {
  /** Creates the workspace if it is missing. An id that is already in use, in any workspace, is a conflict. */
  addKey(key: StoredKey): Promise<void>
  /** Searches all workspaces: the key determines which one its holder may access. */
  findKey(id: string): Promise<StoredKey | undefined>
  /** Keys of one workspace, or of all; oldest first. */
  listKeys(workspace?: WorkspaceId): Promise<readonly StoredKey[]>
  /** Ignores a key that no longer exists. */
  noteKeyUse(id: string, now: Date): Promise<void>
  /** Returns whether the key existed. */
  deleteKey(workspace: WorkspaceId, id: string): Promise<boolean>
}
