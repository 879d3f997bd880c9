import type { Deriver, DeriveStatus } from './derive/deriver.ts'
import { rebuildAll } from './derive/rebuild-all.ts'
import type { ModelCalls, Models } from './model/models.ts'
import { type ModelsHandle, openModels } from './models-handle.ts'
import { acceptLimit } from './record/accept-limit.ts'
import { rechunkDocuments } from './record/documents/rechunk-documents.ts'
import type { Recorder } from './record/record.ts'
import type { Job, JobState } from './store/jobs.ts'
import type { Finding, OnProgress, Store, StoreStatistics } from './store/store.ts'
import type { VectorStoreInUse, VectorStoreStatus } from './vector-store-in-use.ts'

/** How the memory is, and what keeps it well. */
export interface UpkeepHandle extends ModelsHandle {
  statistics(): Promise<StoreStatistics>
  /** Whether everything that can be derived is, and what went wrong. */
  deriveStatus(): Promise<DeriveStatus>
  /** Resolves when nothing is left to derive. */
  whenDerived(): Promise<void>
  /** Work for models that waits, runs or was given up, newest first. */
  jobs(options?: { readonly state?: JobState; readonly limit?: number }): Promise<readonly Job[]>
  /** Lets what was given up be tried again; how many. */
  retryJobs(): Promise<number>
  /** How often each model that is not built in was asked since the memory was opened. */
  modelCalls(): readonly ModelCalls[]
  /** How the vector store beside the store is; undefined where there is none. */
  vectorStore(): VectorStoreStatus | undefined
  /** Looks for damage and disagreement in the store; changes nothing. */
  check(): Promise<readonly Finding[]>
  /** Makes everything that is derived anew from the messages and the texts of documents. */
  rebuild(onProgress?: OnProgress): Promise<void>
  /** A verified copy of the whole store, made while it is in use. */
  backup(path: string, onProgress?: OnProgress): Promise<void>
}

interface UpkeepParts {
  readonly deriver: Deriver
  readonly models: Models
  readonly vectorStore?: VectorStoreInUse
}

export function openUpkeep(recorder: Recorder, { deriver, models, vectorStore }: UpkeepParts): UpkeepHandle {
  const { store, workspace, now } = recorder
  return {
    statistics: () => store.statistics(workspace),
    deriveStatus: () => deriver.status(),
    async whenDerived() {
      await deriver.whenDone()
      await vectorStore?.whenDone()
    },
    jobs: async ({ limit, ...list } = {}) =>
      store.jobs({ ...list, workspace, limit: acceptLimit(limit, 50) }),
    async retryJobs() {
      const revived = await store.reviveJobs(workspace, now())
      deriver.wake()
      return revived
    },
    modelCalls: () => models.calls(),
    ...openModels(models),
    vectorStore: () => vectorStore?.status(),
    check: async () => [...(await store.check()), ...(vectorStore ? [await vectorStore.check()] : [])],
    rebuild: (onProgress) => rebuild(recorder, deriver, onProgress),
    backup: (path, onProgress) => store.backup(path, onProgress),
  }
}

/** Chunks first: their index is made with all the others. */
async function rebuild(
  recorder: Recorder,
  deriver: Deriver,
  onProgress: OnProgress = () => undefined,
): Promise<void> {
  const { store } = recorder
  const { chunks, messages } = await countAll(store)
  // Deriving goes through the messages twice.
  const total = chunks + 2 * messages
  await rechunkDocuments(recorder, (done) => onProgress(Math.min(done, chunks), total))
  await rebuildAll({ store, deriver }, (done) => onProgress(Math.min(chunks + done, total), total))
}

async function countAll(store: Store): Promise<Pick<StoreStatistics, 'chunks' | 'messages'>> {
  const workspaces = await store.listWorkspaces()
  const counts = await Promise.all(workspaces.map((workspace) => store.statistics(workspace)))
  return {
    chunks: counts.reduce((sum, { chunks }) => sum + chunks, 0),
    messages: counts.reduce((sum, { messages }) => sum + messages, 0),
  }
}
