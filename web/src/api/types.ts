/** The nouns of the library that come over HTTP, as types only. */
export type { Key, RecallAnswer, Receipt } from '../../../src/index.ts'
