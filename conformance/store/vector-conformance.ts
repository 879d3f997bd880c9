// The contract in `vector-store.ts` as programs. They need no test runner, so anyone who writes a vector store can
// check whether it keeps what Recollect relies on.
//
// import { runVectorConformance } from 'recollect/store/vector-conformance'
// const results = await runVectorConformance(() => openMyVectors())
//
// Every case gets a fresh, empty vector store and closes it.

import type { VectorStore } from 'recollect/store'
import type { VectorCase } from './vector-case.ts'
import { vectorKeeping } from './vector-keeping.ts'
import { vectorSearching } from './vector-searching.ts'

export type {
  NearEntry,
  NearestLookup,
  VectorContents,
  VectorEntry,
  VectorKind,
  VectorMark,
  VectorSpace,
  VectorStore,
} from 'recollect/store'
export type { VectorCase } from './vector-case.ts'

export const vectorConformance: readonly VectorCase[] = [...vectorKeeping, ...vectorSearching]

export interface VectorCaseResult {
  readonly name: string
  readonly outcome: 'passed' | 'failed'
  readonly error?: unknown
}

/** Runs every case, each on a fresh vector store, one after the other. */
export async function runVectorConformance(
  open: () => Promise<VectorStore>,
): Promise<readonly VectorCaseResult[]> {
  const results: VectorCaseResult[] = []
  for (const { name, run } of vectorConformance) {
    const vectors = await open()
    try {
      await run(vectors)
      results.push({ name, outcome: 'passed' })
    } catch (error) {
      results.push({ name, outcome: 'failed', error })
    } finally {
      await vectors.close()
    }
  }
  return results
}
