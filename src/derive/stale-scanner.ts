// What was left unread: by a process that died, by this one when the store could not be reached, or by rules of an older
// version. It is read in the background, and looked for now and then.

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
  /** How often it is looked; 0 for never. */
  readonly everyMs: number
  /** A conversation with so many messages more than its summary is to be condensed. */
  readonly condensedBehind: number
  readonly read: (key: ConversationKey) => Promise<void>
}

/** Conversations with messages that were not read yet. */
export const UNREAD: Omit<StaleList, 'limit'> = { deriver: READER, version: READER_VERSION, behind: 1 }

const AT_ONCE = 50

export class StaleScanner {
  readonly #deps: StaleScannerDeps
  readonly #unrolled: Omit<StaleList, 'limit'>
  #looking: ReturnType<typeof setInterval> | undefined
  /** What was unread when it was last looked. */
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

  /** Reads what there is. */
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

  /** What is under way comes to its next resting place. */
  stop(): void {
    this.#isStopped = true
    clearInterval(this.#looking)
  }

  /** What is unread for longer than it takes to read it is nobody's; all else somebody is at work on. */
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

  /** Each conversation once: what fails now is not tried again at once. */
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
