// What people and applications add to the memory apart from messages: a topic renamed, a fact rejected, a
// preference set, a note, a thumbs-up. Edits belong to the record. They are never derived and survive every
// rebuild. Each stores how long the conversation was when it was made, so that a new derivation applies it at the
// same position. Edits are erased with their conversation, and with any message whose text they may contain.

import type { ConversationId, MessageId, WorkspaceId } from '../domain/ids.ts'
import type { JsonObject } from '../domain/json.ts'

export interface NewEdit {
  readonly kind: string
  /** The subject: a topic, a fact, the name of a preference. */
  readonly key: string
  readonly body: JsonObject
  readonly conversation?: ConversationId
  /** Messages, of any conversation, whose text it may contain. It is erased with any of them. */
  readonly sources?: readonly MessageId[]
  readonly expiresAt?: Date
}

export interface Edit extends NewEdit {
  /** Assigned by the store, increasing, never reused. */
  readonly id: number
  /** Length of the conversation when the edit was made. */
  readonly position: number
  readonly sources: readonly MessageId[]
  readonly createdAt: Date
}

export interface SaveEditOptions {
  /** When it was made. */
  readonly now: Date
  /** Replaces earlier edits of the same kind, key and conversation. @default false */
  readonly replace?: boolean
  /** For imported edits. @default the current number of messages in the conversation */
  readonly position?: number
}

export interface EditList {
  readonly workspace: WorkspaceId
  /** Only edits of this conversation; `null`: only edits without a conversation. */
  readonly conversation?: ConversationId | null
  /** Only edits of these kinds. */
  readonly kinds?: readonly string[]
  readonly key?: string
  /** Only edits with a higher id. */
  readonly after?: number
  /** Leaves out edits that have expired by this time. */
  readonly now?: Date
  readonly limit?: number
}

export interface EditStore {
  /** Throws `not-found` if the conversation or one of the sources does not exist or was erased. */
  saveEdit(workspace: WorkspaceId, edit: NewEdit, options: SaveEditOptions): Promise<Edit>
  /** In the order they were saved. */
  edits(list: EditList): Promise<readonly Edit[]>
  /** Returns the number of deleted edits. */
  deleteEdits(workspace: WorkspaceId, ids: readonly number[]): Promise<number>
  /** Changes whenever the result of `edits` changes, except through expiry. */
  editsVersion(workspace: WorkspaceId): Promise<string>
}
