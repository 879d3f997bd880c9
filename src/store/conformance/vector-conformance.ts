// The contract in `vector-store.ts` as programs, without any test runner, so that whoever writes a vector store can
// see whether it keeps what Recollect builds on.
//
//   import { runVectorConformance } from 'recollect/store/vector-conformance'
//   const results = await runVectorConformance(() => openMyVectors())
//
// Every case gets a vector store of its own, fresh and empty, and closes it.

import type { VectorStore } from '../vector-store.ts'
import type { VectorCase } from './vector-case.ts'
import { vectorKeeping } from './vector-keeping.ts'
import { vectorSearching } from './vector-searching.ts'

export type { VectorKind } from '../../domain/ids.ts'
export type {
  NearEntry,
  NearestLookup,
  VectorContents,
  VectorEntry,
  VectorMark,
  VectorSpace,
  VectorStore,
} from '../vector-store.ts'
export type { VectorCase } from './vector-case.ts'

export const vectorConformance: readonly VectorCase[] = [...vectorKeeping, ...vectorSearching]

export interface VectorCaseResult {
  readonly name: string
  readonly outcome: 'passed' | 'failed'
  readonly error?: unknown
}

/** Runs every case, each on a vector store of its own, one after the other. */
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
