import type { Store, StoreCapabilities } from 'recollect/store'

/** One promise of the contract, as a program that fails if a store does not keep it. */
export interface ConformanceCase {
  /** The promise, in one sentence. */
  readonly name: string
  /** The case is skipped for stores that declare one of these as false. */
  readonly requires?: readonly (keyof StoreCapabilities)[]
  /** Rejects if the promise is broken. Each case gets a fresh store. */
  readonly run: (store: Store) => Promise<void>
}

/** The same cases, for stores with this capability. */
export function requiring(
  capability: keyof StoreCapabilities,
  cases: readonly ConformanceCase[],
): readonly ConformanceCase[] {
  return cases.map((one) => ({ ...one, requires: [...(one.requires ?? []), capability] }))
}
