// What people and applications tell the memory beside messages: a topic renamed, a fact rejected, a preference
// set, a note, a thumb up. Edits belong to the record. They are never derived, survive every rebuild, and say
// how far the conversation was when they were made, so that deriving anew meets them at the same place.

import type { ConversationId, MessageId, WorkspaceId } from '../domain/ids.ts'
import type { JsonObject } from '../domain/json.ts'

export interface NewEdit {
  readonly kind: string
  /** What it is about: a topic, a fact, the name of a preference. */
  readonly key: string
  readonly body: JsonObject
  readonly conversation?: ConversationId
  /** Messages whose words it may hold: it is erased with any of them. */
  readonly sources?: readonly MessageId[]
  readonly expiresAt?: Date
}

export interface Edit extends NewEdit {
  /** Made by the store; higher for later ones. */
  readonly id: number
  /** How many messages the conversation had. */
  readonly position: number
  readonly createdAt: Date
}

export interface EditList {
  readonly workspace: WorkspaceId
  /** Only those of this conversation; `null`: only those of none. */
  readonly conversation?: ConversationId | null
  readonly kinds: readonly string[]
  readonly key?: string
  /** Only later ones. */
  readonly after?: number
  /** Those that expired before this are left out. */
  readonly now?: Date
}

export interface EditStore {
  /** `replace` takes the place of earlier edits of the same kind, key and conversation. */
  saveEdit(
    workspace: WorkspaceId,
    edit: NewEdit,
    options: { readonly now: Date; readonly replace?: boolean },
  ): Promise<Edit>
  /** In the order in which they were made. */
  edits(list: EditList): Promise<readonly Edit[]>
  /** How many were there. */
  deleteEdits(workspace: WorkspaceId, ids: readonly number[]): Promise<number>
  /** Changes whenever `edits` would. */
  editsVersion(workspace: WorkspaceId): Promise<string>
}
