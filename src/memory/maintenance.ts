import type { Deriver, DeriveStatus } from '../derive/deriver.ts'
import { rebuildAll } from '../derive/rebuild-all.ts'
import type { ModelCalls, Models } from '../model/models.ts'
import { acceptLimit } from '../record/accept-limit.ts'
import { rechunkDocuments } from '../record/documents/rechunk-documents.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import type { ActivitySums, StoreActivity } from '../store/activity-store.ts'
import type { Change } from '../store/changes.ts'
import type { Job, JobState } from '../store/jobs.ts'
import type { Finding, OnProgress, ReplicaStatus, Store, StoreStatistics } from '../store/store.ts'
import { type ModelsHandle, openModels } from './models.ts'
import type { VectorStoreInUse, VectorStoreStatus } from './vector-mirror.ts'

/** What went on, day by day. */
export interface Activity extends Pick<StoreActivity, 'sections'> {
  readonly days: readonly ActivityDay[]
}

export interface ActivityDay extends ActivitySums {
  /** `2026-05-01` */
  readonly day: string
}

/** What changed, by name only. */
export type MemoryChange = Omit<Change, 'workspace'>

/** How the memory is, and what keeps it well. */
export interface UpkeepHandle extends ModelsHandle {
  /**
   * Calls back with what changes from now on, whoever writes it: which conversation, page or document, or that all is
   * to be looked at again. Resolves with how to end it.
   */
  watch(onChange: (change: MemoryChange) => void): Promise<() => void>
  statistics(): Promise<StoreStatistics>
  /** What went on in the last days of the calendar in UTC, today included, oldest first. @default 30 days */
  activity(options?: { readonly days?: number }): Promise<Activity>
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
  /** How the replica is that recall is asked of, as far as this process knows; undefined where there is none. */
  replica(): ReplicaStatus | undefined
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

export function openUpkeep(
  recorder: WorkspaceDeps,
  { deriver, models, vectorStore }: UpkeepParts,
): UpkeepHandle {
  const { store, workspace, now } = recorder
  return {
    watch: (onChange) =>
      store.watch({ workspace, onChange: ({ workspace: _, ...change }) => onChange(change) }),
    statistics: () => store.statistics(workspace),
    activity: ({ days } = {}) => readActivity(recorder, acceptLimit(days, 30)),
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
    replica: () => store.replica?.(),
    check: async () => [...(await store.check()), ...(vectorStore ? [await vectorStore.check()] : [])],
    rebuild: (onProgress) => rebuild(recorder, deriver, onProgress),
    backup: (path, onProgress) => store.backup(path, onProgress),
  }
}

async function readActivity({ store, workspace, now }: WorkspaceDeps, days: number): Promise<Activity> {
  const today = Math.floor(now().getTime() / DAY_MS)
  const from = new Date((today - days + 1) * DAY_MS)
  const { days: sums, sections } = await store.activity({ workspace, from, days })
  const named = sums.map((day, i) => ({ day: dayName(from.getTime() + i * DAY_MS), ...day }))
  return { days: named, sections }
}

const DAY_MS = 86_400_000

const dayName = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Chunks first: their index is made with all the others. */
async function rebuild(
  recorder: WorkspaceDeps,
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
