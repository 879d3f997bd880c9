// Runs the jobs queued in the store. Jobs are claimed one at a time. A failed job is retried with increasing
// delays, and finally given up with its reason kept for the operator. On stop, claimed jobs are released.

import { newId } from '../../domain/ids.ts'
import type { ResolvedJobs } from '../../options/derive-options.ts'
import type { Job, JobTicket } from '../../store/jobs.ts'
import type { Store } from '../../store/store.ts'

/** Does one job. Its writes carry the ticket, so that nothing is written twice. */
export type JobHandler = (
  job: Job,
  held: { readonly ticket: JobTicket; readonly signal: AbortSignal },
) => Promise<void>

export interface JobRunnerDeps {
  readonly store: Store
  readonly handlers: Readonly<Record<string, JobHandler>>
  readonly options: ResolvedJobs
  readonly now: () => Date
}

const LONGEST_ERROR = 500
/** Upper limit, since another process may add a job and die, or a clock may change. */
const LONGEST_SLEEP_MS = 60_000
/** Delay before the store is queried again after an error. */
const TROUBLE_MS = 2000

export class JobRunner {
  readonly #parts: JobRunnerDeps
  readonly #running = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  #claiming: Promise<void> | undefined
  #isWokenAgain = false
  #trouble: unknown

  constructor(parts: JobRunnerDeps) {
    this.#parts = parts
  }

  /** Looks for work now. */
  wake(): void {
    if (this.#stopping.signal.aborted || Object.keys(this.#parts.handlers).length === 0) return
    if (this.#claiming !== undefined) {
      this.#isWokenAgain = true
      return
    }
    this.#claiming = this.#claimAll()
      .catch((error: unknown) => {
        this.#note(error)
        this.#wakeAfter(TROUBLE_MS)
      })
      .finally(() => {
        this.#claiming = undefined
        if (!this.#isWokenAgain) return
        this.#isWokenAgain = false
        this.wake()
      })
  }

  /** Whether there are jobs, due or not, that this process can do. */
  async hasWork(): Promise<boolean> {
    const kinds = Object.keys(this.#parts.handlers)
    return kinds.length > 0 && (await this.#parts.store.nextJobAt(kinds)) !== undefined
  }

  /** The last error from the store while claiming a job or recording a failure. */
  get trouble(): unknown {
    return this.#trouble
  }

  #note(error: unknown): void {
    this.#trouble = error
  }

  /** Resolves when no job is due: all are done, waiting for a retry, or dead. */
  async whenIdle(): Promise<void> {
    this.wake()
    while (this.#claiming !== undefined || this.#running.size > 0) {
      await this.#claiming
      await Promise.allSettled(this.#running)
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#timer)
    await this.#claiming
    await Promise.allSettled(this.#running)
  }

  async #claimAll(): Promise<void> {
    const { store, handlers, options, now } = this.#parts
    while (this.#running.size < options.concurrency && !this.#stopping.signal.aborted) {
      const lease = newId(now())
      const kinds = Object.keys(handlers)
      const job = await store.claimJob({ now: now(), lease, leaseMs: options.leaseMs, kinds })
      if (job === undefined) return this.#sleep()
      this.#run(job, { id: job.id, lease })
    }
  }

  /** Sleeps until the next job is due. Does not keep the process alive, since waiting jobs are in the store. */
  async #sleep(): Promise<void> {
    const next = await this.#parts.store.nextJobAt(Object.keys(this.#parts.handlers))
    const wait = next === undefined ? LONGEST_SLEEP_MS : next.getTime() - this.#parts.now().getTime()
    this.#wakeAfter(Math.min(Math.max(1, wait), LONGEST_SLEEP_MS))
  }

  #wakeAfter(ms: number): void {
    clearTimeout(this.#timer)
    if (this.#stopping.signal.aborted) return
    this.#timer = setTimeout(() => this.wake(), ms)
    this.#timer.unref()
  }

  #run(job: Job, ticket: JobTicket): void {
    // If the failure cannot be recorded either, the lease expires and the job can be claimed again.
    const run = this.#attempt(job, ticket)
      .catch((error: unknown) => this.#note(error))
      .finally(() => {
        this.#running.delete(run)
        this.wake()
      })
    this.#running.add(run)
  }

  async #attempt(job: Job, ticket: JobTicket): Promise<void> {
    const { store, handlers } = this.#parts
    const { signal } = this.#stopping
    const renewing = this.#keepRenewing(ticket)
    try {
      await handlers[job.kind]?.(job, { ticket, signal })
      await store.finishJob(ticket)
    } catch (error) {
      if (signal.aborted) await store.releaseJob(ticket)
      else await store.failJob(ticket, this.#toFailure(job, error))
    } finally {
      clearInterval(renewing)
    }
  }

  /** A model may be slow. A process that died is recognised by a lease that is no longer renewed. */
  #keepRenewing(ticket: JobTicket): ReturnType<typeof setInterval> {
    const { store, options, now } = this.#parts
    const renew = () =>
      store
        .renewJob(ticket, new Date(now().getTime() + options.leaseMs))
        .catch((error: unknown) => this.#note(error))
    return setInterval(renew, Math.max(1, options.leaseMs / 4)).unref()
  }

  #toFailure({ failures }: Job, error: unknown): { error: string; runAt?: Date } {
    const { maxAttempts, firstWaitMs, maxWaitMs } = this.#parts.options
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_ERROR)
    if (failures + 1 >= maxAttempts) return { error: reason }
    const wait = Math.min(maxWaitMs, firstWaitMs * 2 ** failures)
    return { error: reason, runAt: new Date(this.#parts.now().getTime() + wait) }
  }
}
