import { describe, test } from 'vitest'
import { runCase, storeConformance } from '../../conformance/store/store-conformance.ts'
import type { Store } from '../../src/store/store.ts'

/** Registers every case of the store contract for one store. `open` returns a new, empty one each time. */
export function checkStore(name: string, open: () => Promise<Store>): void {
  describe(`${name} keeps the promises of a store`, () => {
    for (const conformanceCase of storeConformance) {
      test(conformanceCase.name, async ({ skip }) => {
        const { outcome, reason = '', error } = await runCase(conformanceCase, open)
        if (outcome === 'failed') throw error
        if (outcome === 'passed') return
        console.info(`${name}: skipped "${conformanceCase.name}": ${reason}`)
        skip(reason)
      })
    }
  })
}
