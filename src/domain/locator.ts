// The location of a message as one number: its conversation and its position. Consecutive messages have
// consecutive locators, so neighbours are found by counting, without reading the store.

declare const brand: unique symbol

/** The store's number of a conversation, times 2^24, plus the position. Meaningless outside of its store. */
export type MessageLocator = number & { readonly [brand]: 'place' }

/** 16 million messages per conversation, and 500 million conversations before numbers are no longer exact. */
export const POSITIONS_PER_CONVERSATION: number = 2 ** 24

export const toLocator = (conversation: number, position: number): MessageLocator =>
  (conversation * POSITIONS_PER_CONVERSATION + position) as MessageLocator

export const positionOf = (place: MessageLocator): number => place % POSITIONS_PER_CONVERSATION

/** The store's number of the conversation. */
export const conversationNumberOf = (place: MessageLocator): number =>
  Math.floor(place / POSITIONS_PER_CONVERSATION)
