import type { VectorStore } from 'recollect/store'

/** One promise of the contract, as a program that rejects if it is broken. */
export interface VectorCase {
  readonly name: string
  /** Each case gets a fresh vector store. */
  readonly run: (vectors: VectorStore) => Promise<void>
}
