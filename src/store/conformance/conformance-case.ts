import type { Store, StoreCapabilities } from '../store.ts'

/** One promise of the contract, as a program that fails where a store does not keep it. */
export interface ConformanceCase {
  /** The promise, in a sentence. */
  readonly name: string
  /** Only stores with this capability are asked. */
  readonly requires?: keyof StoreCapabilities
  /** Rejects where the promise is broken. The store is fresh, and belongs to this case alone. */
  readonly run: (store: Store) => Promise<void>
}
