// Where a message stands, as one number: which conversation, and which position in it. Messages that follow one
// another have places that do, so that neighbours are found by counting, without asking the store.

declare const brand: unique symbol

/** The store's number of a conversation, times 2^24, plus the position. Means nothing outside of its store. */
export type Place = number & { readonly [brand]: 'place' }

/** 16 million messages a conversation, and 500 million conversations before numbers are no longer exact. */
export const POSITIONS: number = 2 ** 24

export const placeOf = (conversation: number, position: number): Place =>
  (conversation * POSITIONS + position) as Place

export const positionOf = (place: Place): number => place % POSITIONS

/** The store's number of the conversation. */
export const conversationNumberOf = (place: Place): number => Math.floor(place / POSITIONS)
