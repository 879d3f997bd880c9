// Lookups by name, one at a time. A store that receives several at once can answer them in one batch.

import type { ConversationId } from '../domain/ids.ts'
import type { ItemList } from './derivations.ts'
import type { EditList } from './edits.ts'

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
