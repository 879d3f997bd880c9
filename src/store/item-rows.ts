import { type ConversationId, conversationId } from '../domain/ids.ts'
import type { DerivedKind, ItemList, StoredItem } from './derivations.ts'
import type { EditList } from './edits.ts'
import { fromFloatBytes } from './vector-bytes.ts'

export interface ItemRow {
  readonly ordinal: number
  readonly conversation_id: string
  readonly key: string
  readonly body: string
  readonly vector: Uint8Array | null
  readonly sources: string
  readonly made_by: string
  readonly made_at: number
  readonly tokens: number
}

export function toItem(row: ItemRow, kind: DerivedKind): StoredItem {
  return {
    kind,
    key: row.key,
    body: JSON.parse(row.body),
    ...(row.vector !== null && { vector: fromFloatBytes(row.vector) }),
    sources: JSON.parse(row.sources),
    madeBy: row.made_by,
    madeAt: new Date(row.made_at),
    tokens: row.tokens,
    conversationId: conversationId(row.conversation_id),
    number: row.ordinal,
  }
}

// Lookups by name, one at a time. A store that receives several at once can answer them in one batch.

/** One item of a conversation, from the active generation. */
export type NamedItem = ItemList & Required<Pick<ItemList, 'conversation' | 'deriver' | 'key'>>

export const isNamedItem = (list: ItemList): list is NamedItem =>
  list.conversation !== undefined &&
  list.deriver !== undefined &&
  list.key !== undefined &&
  list.generation === undefined &&
  list.after === undefined &&
  list.limit === undefined &&
  list.withVectors !== true

/** The edits of one subject in a conversation. */
export type NamedEdits = EditList & {
  readonly conversation: ConversationId
  readonly key: string
  readonly kinds: readonly string[]
}

export const areNamedEdits = (list: EditList): list is NamedEdits =>
  typeof list.conversation === 'string' &&
  list.key !== undefined &&
  list.kinds !== undefined &&
  list.after === undefined &&
  list.now === undefined &&
  list.limit === undefined
