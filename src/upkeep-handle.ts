import type { Deriver, DeriveStatus } from './derive/deriver.ts'
import { rebuildAll } from './derive/rebuild-all.ts'
import type { WorkspaceId } from './domain/ids.ts'
import type { ModelCalls, Models } from './model/models.ts'
import { acceptLimit } from './record/accept-limit.ts'
import type { Job, JobState } from './store/jobs.ts'
import type { Finding, OnProgress, Store, StoreStatistics } from './store/store.ts'

/** How the memory is, and what keeps it well. */
export interface UpkeepHandle {
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
  /** Looks for damage and disagreement in the store; changes nothing. */
  check(): Promise<readonly Finding[]>
  /** Makes everything that is derived anew from the messages. */
  rebuild(onProgress?: OnProgress): Promise<void>
  /** A verified copy of the whole store, made while it is in use. */
  backup(path: string, onProgress?: OnProgress): Promise<void>
}

interface UpkeepParts {
  readonly store: Store
  readonly deriver: Deriver
  readonly models: Models
  readonly workspace: WorkspaceId
  readonly now: () => Date
}

export function openUpkeep({ store, deriver, models, workspace, now }: UpkeepParts): UpkeepHandle {
  return {
    statistics: () => store.statistics(workspace),
    deriveStatus: () => deriver.status(),
    whenDerived: () => deriver.whenDone(),
    jobs: async ({ limit, ...list } = {}) =>
      store.jobs({ ...list, workspace, limit: acceptLimit(limit, 50) }),
    async retryJobs() {
      const revived = await store.reviveJobs(workspace, now())
      deriver.wake()
      return revived
    },
    modelCalls: () => models.calls(),
    check: () => store.check(),
    rebuild: (onProgress) => rebuildAll({ store, deriver }, onProgress),
    backup: (path, onProgress) => store.backup(path, onProgress),
  }
}
