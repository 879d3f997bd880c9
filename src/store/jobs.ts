// A durable, ordered job queue. A job is claimed with a lease. The holder finishes it or reports a failure; each
// failure delays the next attempt longer, and after the last one the job is kept as dead, for people to inspect.
// When a lease expires (the process died), the job can be claimed again: work may be repeated but is never lost.
// Jobs of one conversation and kind run one at a time, in the order they were added; dead ones block nothing. Jobs
// are erased with their subject: erasing a message deletes the jobs of every conversation that contained it.

import type { ConversationKey, WorkspaceId } from '../domain/ids.ts'
import type { JsonObject } from '../domain/json.ts'

export interface NewJob {
  readonly kind: string
  /**
   * Identifies the work. A job is not added while another with its key is waiting, and replaces one that is dead.
   * If one with its key is running, it may have started too early to see the latest changes, so the new job waits
   * behind it.
   */
  readonly key: string
  readonly body: JsonObject
}

/** Proves that the caller holds a job. */
export interface JobTicket {
  readonly id: number
  readonly lease: string
}

export type JobState = 'waiting' | 'running' | 'dead'

export interface Job extends ConversationKey, NewJob {
  /** Assigned by the store, increasing, never reused. */
  readonly id: number
  readonly state: JobState
  /** Number of attempts that failed or were abandoned by a process that died. */
  readonly failures: number
  /** The last error. */
  readonly error?: string
  /** Earliest time to run. */
  readonly runAt: Date
  readonly createdAt: Date
}

export interface ClaimRequest {
  readonly now: Date
  /** Unique per claim. */
  readonly lease: string
  readonly leaseMs: number
  /** Kinds that the caller can handle; other jobs are left for other callers. @default all */
  readonly kinds?: readonly string[]
}

export interface JobFailure {
  readonly error: string
  /** When to retry; missing if the job is given up. */
  readonly runAt?: Date
}

export interface JobCounts {
  readonly waiting: number
  readonly running: number
  readonly dead: number
}

export interface JobStore {
  addJobs(key: ConversationKey, jobs: readonly NewJob[], now: Date): Promise<void>
  /** Claims the job that has been due the longest and is not behind another of its conversation and kind. */
  claimJob(request: ClaimRequest): Promise<Job | undefined>
  /** When `claimJob` may next find a job: one becomes due or a lease expires. Undefined without jobs. */
  nextJobAt(kinds?: readonly string[]): Promise<Date | undefined>
  /** Returns false and changes nothing if the lease was lost: the job was claimed by another caller or deleted. */
  finishJob(ticket: JobTicket): Promise<boolean>
  failJob(ticket: JobTicket, failure: JobFailure): Promise<boolean>
  /** Returns the job to the queue without counting a failure. */
  releaseJob(ticket: JobTicket): Promise<boolean>
  /** Extends the lease until the given time. */
  renewJob(ticket: JobTicket, until: Date): Promise<boolean>
  /** Newest first. */
  jobs(list: { workspace: WorkspaceId; state?: JobState; limit: number }): Promise<readonly Job[]>
  /** Puts dead jobs back in the queue with no failures; returns how many. */
  reviveJobs(workspace: WorkspaceId, now: Date): Promise<number>
  /** Counts the jobs of one workspace, or of all. */
  countJobs(workspace?: WorkspaceId): Promise<JobCounts>
}
