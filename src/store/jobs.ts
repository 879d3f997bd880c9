// Work that waits: durable, in order, visible until it is done. A job is claimed with a lease; whoever holds it
// finishes it, or lets it fail, which makes it wait longer each time and in the end leaves it dead, for
// people to see. A lease that runs out (the process died) makes the job free again: work may be repeated, and
// is never lost. Jobs of one conversation and kind run one after the other, in the order they came.

import type { ConversationKey, WorkspaceId } from '../domain/ids.ts'
import type { JsonObject } from '../domain/json.ts'

export interface NewJob {
  readonly kind: string
  /** A job that is still waiting is not added again. */
  readonly key: string
  readonly body: JsonObject
}

/** Proves that somebody holds a job. */
export interface JobTicket {
  readonly id: number
  readonly lease: string
}

export type JobState = 'waiting' | 'running' | 'dead'

export interface Job extends ConversationKey, NewJob {
  readonly id: number
  readonly state: JobState
  /** How often it failed. */
  readonly failures: number
  /** Why it failed last. */
  readonly error?: string
  /** Not before. */
  readonly runAt: Date
  readonly createdAt: Date
}

export interface ClaimRequest {
  readonly now: Date
  /** Unique to the claim. */
  readonly lease: string
  readonly leaseMs: number
  /** What the caller can do; jobs of other kinds stay for others. */
  readonly kinds: readonly string[]
}

export interface JobFailure {
  readonly error: string
  /** When to try again; missing when it is given up. */
  readonly runAt?: Date
}

export interface JobCounts {
  readonly waiting: number
  readonly running: number
  readonly dead: number
}

export interface JobStore {
  addJobs(key: ConversationKey, jobs: readonly NewJob[], now: Date): Promise<void>
  /** The next job that is due and not behind another of its conversation and kind. */
  claimJob(request: ClaimRequest): Promise<Job | undefined>
  /** When the next waiting job is due, or the next lease runs out. */
  nextJobAt(kinds: readonly string[]): Promise<Date | undefined>
  /** False where the lease was lost. */
  finishJob(ticket: JobTicket): Promise<boolean>
  failJob(ticket: JobTicket, failure: JobFailure): Promise<boolean>
  /** Gives the job back as it was, without counting a failure. */
  releaseJob(ticket: JobTicket): Promise<boolean>
  /** Newest first. */
  jobs(list: { workspace: WorkspaceId; state?: JobState; limit: number }): Promise<readonly Job[]>
  /** Dead jobs wait again, as if they had never failed; how many. */
  reviveJobs(workspace: WorkspaceId, now: Date): Promise<number>
  /** Of one workspace, or of all. */
  countJobs(workspace?: WorkspaceId): Promise<JobCounts>
}
