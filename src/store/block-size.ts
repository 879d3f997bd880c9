// How large blocks get. Larger ones take less room in sum (six times 9 short messages take a fifth more than
// 50 in one), and more time to read a single message from.

/** Most of the gain is there, and of short messages so many fill a page of 4 kB. */
export const MOST_MESSAGES = 64
/** Unpacked: half a millisecond. A single message may be larger, and then has a block to itself. */
export const MOST_BYTES: number = 128 * 1024

/** A smaller block takes in what comes next. It is packed anew each time: beyond, that costs more than it saves. */
export const SMALL_BYTES: number = 32 * 1024
