// The contract in `store.ts` (and derivations.ts, jobs.ts, edits.ts and recall-store.ts next to it) as programs: one
// or a few cases for each promise and each method. They need no test runner, so anyone who writes a store can check
// whether it keeps what Recollect relies on.
//
// import { runStoreConformance } from 'recollect/store/conformance'
// const results = await runStoreConformance(() => openMyStore())
//
// Every case gets a fresh, empty store and closes it.

import type { Store } from 'recollect/store'
import { activity } from './activity.ts'
import { chunkFinding } from './chunk-finding.ts'
import { compressedErasing } from './compressed-erasing.ts'
import { compressing } from './compressing.ts'
import { type ConformanceCase, requiring } from './conformance-case.ts'
import { conversations } from './conversations.ts'
import { derivationErasing } from './derivation-erasing.ts'
import { derivationJobs } from './derivation-jobs.ts'
import { derivationProgress } from './derivation-progress.ts'
import { derivations } from './derivations.ts'
import { derivedItems } from './derived-items.ts'
import { documentErasing } from './document-erasing.ts'
import { documents } from './documents.ts'
import { editErasing } from './edit-erasing.ts'
import { edits } from './edits.ts'
import { erasing } from './erasing.ts'
import { exactness } from './exactness.ts'
import { forking } from './forking.ts'
import { jobLeases } from './job-leases.ts'
import { jobs } from './jobs.ts'
import { keys } from './keys.ts'
import { ordering } from './ordering.ts'
import { pages } from './pages.ts'
import { queries } from './queries.ts'
import { recallingMeaning } from './recalling-meaning.ts'
import { recallingPlaces } from './recalling-places.ts'
import { recallingTimes } from './recalling-times.ts'
import { recallingWords } from './recalling-words.ts'
import { recallingWorkspaces } from './recalling-workspaces.ts'
import { receipts } from './receipts.ts'
import { repetition } from './repetition.ts'
import { searching } from './searching.ts'
import { upkeep } from './upkeep.ts'
import { watching } from './watching.ts'
import { workspaces } from './workspaces.ts'

export type { Store } from 'recollect/store'
export type { ConformanceCase } from './conformance-case.ts'

export const storeConformance: readonly ConformanceCase[] = [
  ...exactness,
  ...ordering,
  ...repetition,
  ...workspaces,
  ...searching,
  ...conversations,
  ...forking,
  ...receipts,
  ...erasing,
  ...requiring('canCompress', compressing),
  ...requiring('canCompress', compressedErasing),
  ...upkeep,
  ...requiring('hasPages', pages),
  ...requiring('hasPages', queries),
  ...derivations,
  ...derivationJobs,
  ...derivedItems,
  ...derivationErasing,
  ...derivationProgress,
  ...jobs,
  ...jobLeases,
  ...edits,
  ...recallingWords,
  ...recallingTimes,
  ...recallingMeaning,
  ...recallingPlaces,
  ...recallingWorkspaces,
  ...requiring('hasDocuments', documents),
  ...requiring('hasDocuments', documentErasing),
  ...requiring('hasDocuments', chunkFinding),
  ...requiring('hasKeys', keys),
  ...editErasing,
  ...requiring('hasActivity', activity),
  ...watching,
]

export interface ConformanceResult {
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly error?: unknown
  /** Why the case was skipped. */
  readonly reason?: string
}

/** Runs every case, each on a fresh store, one after the other. */
export async function runStoreConformance(open: () => Promise<Store>): Promise<readonly ConformanceResult[]> {
  const results: ConformanceResult[] = []
  for (const conformanceCase of storeConformance) results.push(await runCase(conformanceCase, open))
  return results
}

/** Runs one case on a fresh store. A case is skipped only if the store lacks a capability that it requires. */
export async function runCase(
  { name, requires, run }: ConformanceCase,
  open: () => Promise<Store>,
): Promise<ConformanceResult> {
  const store = await open()
  try {
    const missing = requires?.find((capability) => store.capabilities[capability] === false)
    if (missing !== undefined) {
      return { name, outcome: 'skipped', reason: `the store declares ${missing}: false` }
    }
    await run(store)
    return { name, outcome: 'passed' }
  } catch (error) {
    return { name, outcome: 'failed', error }
  } finally {
    await store.close()
  }
}
