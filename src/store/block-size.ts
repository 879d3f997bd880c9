// Limits on block size. Larger blocks take less space in total (six blocks of 9 short messages take a fifth more
// than one of 54), but reading a single message takes longer.

/** Larger blocks save little more, and 64 short messages fill a 4 kB page. */
export const MOST_MESSAGES = 64
/** Uncompressed; takes half a millisecond to unpack. A larger message gets its own block. */
export const MOST_BYTES: number = 128 * 1024

/**
 * Small blocks are merged as soon as together they are no longer small. Every message is then packed twice; merging
 * the newest small block on every write would pack it four times.
 */
export const SMALL_MESSAGES = 48
export const SMALL_BYTES: number = 32 * 1024
