// Work that waits: durable, in order, visible until it is done. A job is claimed with a lease; whoever holds it
// finishes it, or lets it fail, which makes it wait longer each time and in the end leaves it dead, for
// people to see. A lease that runs out (the process died) makes the job free again: work may be repeated, and
// is never lost. Jobs of one conversation and kind run one after the other, in the order they came; dead ones
// hold nobody up. Jobs go with the words they are about: erasing a message takes away the jobs of every
// conversation that had it.

import type { ConversationKey, WorkspaceId } from '../domain/ids.ts'
import type { JsonObject } from '../domain/json.ts'

export interface NewJob {
  readonly kind: string
  /**
   * Names the work: a job is not added while one of its key still waits, and takes the place of one that is
   * dead. One that runs may have begun too early to see what calls for this one, which then waits behind it.
   */
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
  /** Made by the store, never twice; higher for later ones. */
  readonly id: number
  readonly state: JobState
  /** How often it failed, or was left lying by a process that died. */
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
  /** What the caller can do; jobs of other kinds stay for others. @default all */
  readonly kinds?: readonly string[]
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
  /** The job that is due longest and not behind another of its conversation and kind. */
  claimJob(request: ClaimRequest): Promise<Job | undefined>
  /** When `claimJob` may next find one: the next job is due, or the next lease runs out. Without jobs: never. */
  nextJobAt(kinds?: readonly string[]): Promise<Date | undefined>
  /** False, and nothing is changed, where the lease was lost: another has claimed the job, or it is gone. */
  finishJob(ticket: JobTicket): Promise<boolean>
  failJob(ticket: JobTicket, failure: JobFailure): Promise<boolean>
  /** Gives the job back as it was, without counting a failure. */
  releaseJob(ticket: JobTicket): Promise<boolean>
  /** Whoever holds the job is still at it: the lease lasts until then. */
  renewJob(ticket: JobTicket, until: Date): Promise<boolean>
  /** Newest first. */
  jobs(list: { workspace: WorkspaceId; state?: JobState; limit: number }): Promise<readonly Job[]>
  /** Dead jobs wait again, as if they had never failed; how many. */
  reviveJobs(workspace: WorkspaceId, now: Date): Promise<number>
  /** Of one workspace, or of all. */
  countJobs(workspace?: WorkspaceId): Promise<JobCounts>
}
