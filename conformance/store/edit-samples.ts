// Conversations for the cases about edits.

import {
  type ConversationId,
  type ConversationKey,
  type Erased,
  messageId,
  type Store,
} from 'recollect/store'
import { aKey, append, at, ELSEWHERE, HERE, many } from './samples.ts'

export const trip: ConversationKey = aKey('trip')
export const other: ConversationKey = aKey('other')
export const theirTrip: ConversationKey = aKey('trip', ELSEWHERE)
export const inTrip: { readonly conversation: ConversationId } = { conversation: trip.conversation }
export const inOther: { readonly conversation: ConversationId } = { conversation: other.conversation }

export async function fill(store: Store): Promise<void> {
  await append(store, trip, { messages: many('m', 3) })
  await append(store, other, { messages: many('o', 5) })
  await append(store, theirTrip, { messages: many('m', 2) })
}

export const erase = (store: Store, id: string): Promise<Erased> =>
  store.eraseMessage(HERE, messageId(id), at(9))
