// What readers ask for by name, one at a time: whoever gets several such calls at once can answer them together.

import type { ConversationId } from '../domain/ids.ts'
import type { ItemList } from './derivations.ts'
import type { EditList } from './edits.ts'

/** One thing of a conversation, as readers see it. */
export type NamedItem = ItemList & Required<Pick<ItemList, 'conversation' | 'deriver' | 'key'>>

export const isNamedItem = (list: ItemList): list is NamedItem =>
  list.conversation !== undefined &&
  list.deriver !== undefined &&
  list.key !== undefined &&
  list.generation === undefined &&
  list.after === undefined &&
  list.limit === undefined &&
  list.withVectors !== true

/** What was said about one thing of a conversation. */
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
