import type { Store, StoreCapabilities } from 'recollect/store'

/** One promise of the contract, as a program that fails if a store does not keep it. */
export interface ConformanceCase {
  /** The promise, in one sentence. */
  readonly name: string
  /** The case runs only for stores with this capability. */
  readonly requires?: keyof StoreCapabilities
  /** Rejects if the promise is broken. Each case gets a fresh store. */
  readonly run: (store: Store) => Promise<void>
}
