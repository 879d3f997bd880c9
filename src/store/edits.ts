// What people and applications tell the memory beside messages: a topic renamed, a fact rejected, a preference
// set, a note, a thumb up. Edits belong to the record. They are never derived, survive every rebuild, and say
// how far the conversation was when they were made, so that deriving anew meets them at the same place. They
// go with their conversation, and with any message whose words they may hold.

import type { ConversationId, MessageId, WorkspaceId } from '../domain/ids.ts'
import type { JsonObject } from '../domain/json.ts'

export interface NewEdit {
  readonly kind: string
  /** What it is about: a topic, a fact, the name of a preference. */
  readonly key: string
  readonly body: JsonObject
  readonly conversation?: ConversationId
  /** Messages whose words it may hold, of whatever conversation: it is erased with any of them. */
  readonly sources?: readonly MessageId[]
  readonly expiresAt?: Date
}

export interface Edit extends NewEdit {
  /** Made by the store, never twice; higher for later ones. */
  readonly id: number
  /** How many messages the conversation had. */
  readonly position: number
  readonly sources: readonly MessageId[]
  readonly createdAt: Date
}

export interface SaveEditOptions {
  /** When it was made. */
  readonly now: Date
  /** Takes the place of earlier edits of the same kind, key and conversation. @default false */
  readonly replace?: boolean
  /** For an edit that comes from elsewhere. @default how many messages the conversation has */
  readonly position?: number
}

export interface EditList {
  readonly workspace: WorkspaceId
  /** Only those of this conversation; `null`: only those of none. */
  readonly conversation?: ConversationId | null
  /** Only those of these kinds. */
  readonly kinds?: readonly string[]
  readonly key?: string
  /** Only later ones: an edit's id. */
  readonly after?: number
  /** Those that have expired by then are left out. */
  readonly now?: Date
  readonly limit?: number
}

export interface EditStore {
  /** Not found, where the conversation or one of the sources is not there or was erased. */
  saveEdit(workspace: WorkspaceId, edit: NewEdit, options: SaveEditOptions): Promise<Edit>
  /** In the order in which they were saved. */
  edits(list: EditList): Promise<readonly Edit[]>
  /** How many were there. */
  deleteEdits(workspace: WorkspaceId, ids: readonly number[]): Promise<number>
  /** Changes whenever `edits` would, but for what expires. */
  editsVersion(workspace: WorkspaceId): Promise<string>
}
