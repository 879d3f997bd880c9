/** Library types that are sent over HTTP. Types only. */
export type { Key, RecallAnswer, Receipt, StoreStatistics } from '../../../src/index.ts'
