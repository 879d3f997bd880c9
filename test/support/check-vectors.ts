import { describe, test } from 'vitest'
import { vectorConformance } from '../../conformance/store/vector-conformance.ts'
import type { VectorStore } from '../../src/store/vector-store.ts'

/** Registers every case of the contract for one vector store. `open` returns a new, empty one each time. */
export function checkVectors(name: string, open: () => Promise<VectorStore>): void {
  describe(`${name} keeps the promises of a vector store`, () => {
    for (const { name: promise, run } of vectorConformance) {
      test(promise, async () => {
        const vectors = await open()
        try {
          await run(vectors)
        } finally {
          await vectors.close()
        }
      })
    }
  })
}
