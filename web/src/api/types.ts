/** The nouns of the library that come over HTTP, as types only. */
export type { RecallAnswer, Receipt } from '../../../src/index.ts'
