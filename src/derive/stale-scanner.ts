// Finds conversations that were left unread: by a process that died, by this one while the store was unreachable,
// or by an older version of the rules. Reads them in the background and rescans periodically.

import type { ConversationKey } from '../domain/ids.ts'
import { READER, type StaleList } from '../store/derivations.ts'
import type { Store } from '../store/store.ts'
import { cacheKeyOf } from './conversation-name.ts'
import type { DeriveFailures } from './derive-failures.ts'
import type { JobRunner } from './jobs/run-jobs.ts'
import { READER_VERSION } from './reading/items.ts'
import { SUMMARIES, SUMMARIES_VERSION } from './summaries/rolled.ts'
import type { VectorKeeper } from './vectors/keep-vectors.ts'

export interface StaleScannerDeps {
  readonly store: Pick<Store, 'listStale'>
  readonly vectors?: VectorKeeper
  readonly jobs: JobRunner
  readonly failures: DeriveFailures
  /** Interval between scans; 0 disables them. */
  readonly everyMs: number
  /** A conversation is due to be condensed when its summary is this many messages behind. */
  readonly condensedBehind: number
  readonly read: (key: ConversationKey) => Promise<void>
}

/** Conversations with unread messages. */
export const UNREAD: Omit<StaleList, 'limit'> = { deriver: READER, version: READER_VERSION, behind: 1 }

const AT_ONCE = 50

export class StaleScanner {
  readonly #deps: StaleScannerDeps
  readonly #unrolled: Omit<StaleList, 'limit'>
  #looking: ReturnType<typeof setInterval> | undefined
  /** The conversations that the previous scan found unread. */
  #leftBefore: ReadonlySet<string> = new Set()
  #underWay: Promise<void> | undefined
  #isStopped = false

  constructor(parts: StaleScannerDeps) {
    this.#deps = parts
    this.#unrolled = { deriver: SUMMARIES, version: SUMMARIES_VERSION, behind: parts.condensedBehind }
  }

  get isRunning(): boolean {
    return this.#underWay !== undefined
  }

  /** Reads all stale conversations. */
  wake(): void {
    if (this.#isStopped) return
    const { everyMs, failures } = this.#deps
    if (everyMs > 0) this.#looking ??= setInterval(() => void this.#look(), everyMs).unref()
    this.#underWay ??= this.#readAll()
      .catch((error: unknown) => failures.note('stale-scan', error))
      .finally(() => {
        this.#underWay = undefined
      })
  }

  async whenIdle(): Promise<void> {
    await this.#underWay
  }

  /** Running work stops at its next checkpoint. */
  stop(): void {
    this.#isStopped = true
    clearInterval(this.#looking)
  }

  /** A conversation found by two scans in a row was abandoned. Any other is probably being read right now. */
  async #look(): Promise<void> {
    if (this.isRunning) return
    const { store, failures } = this.#deps
    try {
      const unread = await store.listStale({ ...UNREAD, limit: AT_ONCE })
      const unrolled = await store.listStale({ ...this.#unrolled, limit: AT_ONCE })
      const left = new Set([...unread, ...unrolled].map(cacheKeyOf))
      const isLeftAgain = [...left].some((name) => this.#leftBefore.has(name))
      this.#leftBefore = left
      if (isLeftAgain) this.wake()
    } catch (error) {
      if (!this.#isStopped) failures.note('stale-scan', error)
    }
  }

  async #readAll(): Promise<void> {
    this.#deps.failures.clear('stale-scan')
    await this.#readThese(UNREAD)
    await this.#readThese(this.#unrolled)
    await this.#callForVectors()
  }

  /** Tries each conversation once: a failure is not retried immediately. */
  async #readThese(wanted: Omit<StaleList, 'limit'>): Promise<void> {
    const tried = new Set<string>()
    for (let stuck = 0; ; ) {
      const keys = await this.#deps.store.listStale({ ...wanted, limit: AT_ONCE + stuck })
      const next = keys.filter((key) => !tried.has(cacheKeyOf(key)))
      if (next.length === 0) return
      stuck = keys.length - next.length
      for (const key of next) {
        if (this.#isStopped) return
        tried.add(cacheKeyOf(key))
        await this.#deps.read(key)
        await new Promise((turn) => setImmediate(turn))
      }
    }
  }

  async #callForVectors(): Promise<void> {
    const { vectors, jobs, failures } = this.#deps
    try {
      await vectors?.callForJobs()
      failures.clear('vectors')
      jobs.wake()
    } catch (error) {
      failures.note('vectors', error)
    }
  }
}
