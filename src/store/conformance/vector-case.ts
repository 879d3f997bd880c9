import type { VectorStore } from '../vector-store.ts'

/** One promise of the contract, as a program that rejects where it is broken. */
export interface VectorCase {
  readonly name: string
  /** The vector store is fresh, and belongs to this case alone. */
  readonly run: (vectors: VectorStore) => Promise<void>
}
