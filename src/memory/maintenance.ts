import type { Deriver, DeriveStatus } from '../derive/deriver.ts'
import { rechunkDocuments } from '../record/documents/add-document.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import { checkLimit } from '../schemas/values.ts'
import type { ActivitySums, StoreActivity } from '../store/activity-store.ts'
import type { Job, JobState } from '../store/jobs.ts'
import { readConversations } from '../store/read-pages.ts'
import type { Finding, OnProgress, ReplicaStatus, Store, StoreStatistics } from '../store/store.ts'
import { type PageOptions, type PaginatedList, paginateArray } from './paginate.ts'
import type { VectorStoreInUse, VectorStoreStatus } from './vector-mirror.ts'

/** Activity per day. */
export interface Activity extends Pick<StoreActivity, 'sections'> {
  readonly days: readonly ActivityDay[]
}

export interface ActivityDay extends ActivitySums {
  /** `2026-05-01` */
  readonly day: string
}

/**
 * Maintenance of the whole store, all workspaces: `memory.maintenance`.
 *
 * @example
 * const findings = await memory.maintenance.check()
 * for (const { check, problem } of findings) console.log(problem ?? `${check}: ok`)
 * await memory.maintenance.rebuild()
 */
export interface Maintenance {
  /** Looks for damage and inconsistencies in the store; changes nothing. */
  check(): Promise<readonly Finding[]>
  /** Derives everything again from the messages and the texts of documents. */
  rebuild(onProgress?: OnProgress): Promise<void>
  /** Writes a verified copy of the whole store while it is in use. */
  backup(path: string, onProgress?: OnProgress): Promise<void>
  /** Finishes an erase that had to wait for another reader; true when nothing is left. */
  finishErasing(): Promise<boolean>
  /** Whether everything is derived, and what failed. */
  deriveStatus(): Promise<DeriveStatus>
  /** Undefined without a separate vector store. */
  vectorStore(): VectorStoreStatus | undefined
  /** The replica that recall reads from, as far as this process knows; undefined if there is none. */
  replica(): ReplicaStatus | undefined
}

export interface JobListOptions extends PageOptions {
  readonly state?: JobState
  /** @default 50 */
  readonly limit?: number
}

/**
 * Background work for models: `memory.jobs`.
 *
 * @example
 * const { items: failed } = await memory.jobs.list({ state: 'failed' })
 * const retried = await memory.jobs.retry()
 */
export interface Jobs {
  /** Waiting, running and failed jobs, newest first. */
  list(options?: JobListOptions): PaginatedList<Job>
  /** Schedules failed jobs again; returns how many. */
  retry(): Promise<number>
}

interface MaintenanceDeps {
  readonly deriver: Deriver
  readonly vectorStore?: VectorStoreInUse
}

export function createMaintenance(
  deps: WorkspaceDeps,
  { deriver, vectorStore }: MaintenanceDeps,
): Maintenance {
  const { store } = deps
  return {
    check: async () => [...(await store.check()), ...(vectorStore ? [await vectorStore.check()] : [])],
    rebuild: (onProgress) => rebuild(deps, deriver, onProgress),
    backup: (path, onProgress) => store.backup(path, onProgress),
    finishErasing: () => store.scrub(),
    deriveStatus: () => deriver.status(),
    vectorStore: () => vectorStore?.status(),
    replica: () => store.replica?.(),
  }
}

/** The store lists jobs without a cursor; more than this many waiting jobs are not listed. */
const MAX_JOBS = 10_000

export function createJobs({ store, workspace, now }: WorkspaceDeps, deriver: Deriver): Jobs {
  return {
    list: ({ state, limit = 50, cursor } = {}) =>
      paginateArray(
        () => store.jobs({ workspace, limit: MAX_JOBS, ...(state !== undefined && { state }) }),
        { limit, ...(cursor !== undefined && { cursor }) },
        ({ id }) => String(id),
      ),
    async retry() {
      const revived = await store.reviveJobs(workspace, now())
      deriver.wake()
      return revived
    },
  }
}

const DAY_MS = 86_400_000

export async function readActivity(
  { store, workspace, now }: WorkspaceDeps,
  { days: dayCount }: { readonly days?: number } = {},
): Promise<Activity> {
  const days = checkLimit(dayCount, 30)
  const today = Math.floor(now().getTime() / DAY_MS)
  const from = new Date((today - days + 1) * DAY_MS)
  const { days: sums, sections } = await store.activity({ workspace, from, days })
  const named = sums.map((day, i) => ({ day: dayName(from.getTime() + i * DAY_MS), ...day }))
  return { days: named, sections }
}

const dayName = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Chunks first: their index is built with all the others. */
async function rebuild(
  deps: WorkspaceDeps,
  deriver: Deriver,
  onProgress: OnProgress = () => undefined,
): Promise<void> {
  const { store } = deps
  const { chunks, messages } = await countAll(store)
  // Deriving reads the messages twice.
  const total = chunks + 2 * messages
  await rechunkDocuments(deps, (done) => onProgress(Math.min(done, chunks), total))
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

/** Rebuilds all derived data, one conversation at a time. Readers see the old data until the new data is complete. */
async function rebuildAll(
  { store, deriver }: { readonly store: Store; readonly deriver: Deriver },
  onProgress: OnProgress = () => undefined,
): Promise<void> {
  const messages = await countMessages(store)
  // Indexes first, then what is derived from the messages: each goes through all of them.
  const total = 2 * messages
  await store.rebuild((done) => onProgress(Math.min(done, messages), total))
  let done = messages
  for (const workspace of await store.listWorkspaces()) {
    for await (const { id, messageCount, isMemoryOn } of readConversations(store, workspace)) {
      const before = done
      const key = { workspace, conversation: id }
      if (isMemoryOn) await deriver.rebuild(key, (read) => onProgress(before + read, total))
      done += messageCount
      onProgress(done, total)
    }
  }
}

async function countMessages(store: Store): Promise<number> {
  let count = 0
  for (const workspace of await store.listWorkspaces()) count += (await store.statistics(workspace)).messages
  return count
}
