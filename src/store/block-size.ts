// How large blocks get. Larger ones take less room in sum (six times 9 short messages take a fifth more than
// 54 in one), and more time to read a single message from.

/** Most of the gain is there, and of short messages so many fill a page of 4 kB. */
export const MOST_MESSAGES = 64
/** Unpacked: half a millisecond. A single message may be larger, and then has a block to itself. */
export const MOST_BYTES: number = 128 * 1024

/**
 * Small blocks are joined as soon as they make one that is not small any more: every message is packed
 * twice, where joining the small one at hand every time would pack it four times.
 */
export const SMALL_MESSAGES = 48
export const SMALL_BYTES: number = 32 * 1024
