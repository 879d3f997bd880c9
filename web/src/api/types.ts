/** The nouns of the library that come over HTTP, as types only. */
export type { Key, RecallAnswer, Receipt, StoreStatistics } from '../../../src/index.ts'
