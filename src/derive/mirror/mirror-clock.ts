/** Long enough to batch the messages of a turn, short enough that nobody notices. */
const SOON_MS = 500
const FIRST_RETRY_MS = 2000
/** Checks take at most a tenth of the process's time, so large workspaces are checked less often … */
const REST_FACTOR = 9
/** … but changes never wait longer than this. */
const LONGEST_REST_MS = 10_000

/** Schedules the next check. Does not keep the process alive. */
export class MirrorClock {
  readonly #look: () => void
  readonly #checkEveryMs: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #dueAt = Number.POSITIVE_INFINITY
  #lastMs = 0
  #retryMs = FIRST_RETRY_MS
  #isStopped = false

  constructor(look: () => void, checkEveryMs: number) {
    this.#look = look
    this.#checkEveryMs = checkEveryMs
  }

  /** Schedules a check because something changed. */
  soon(): void {
    this.#set(SOON_MS + Math.min(LONGEST_REST_MS, REST_FACTOR * this.#lastMs), this.#look)
  }

  /** Retries with increasing delays, up to the usual interval. */
  afterFailure(): void {
    this.stopTimer()
    this.#set(this.#retryMs, this.#look)
    this.#retryMs = Math.min(2 * this.#retryMs, Math.max(this.#checkEveryMs, FIRST_RETRY_MS))
  }

  /** Schedules the periodic check after everything is in sync. */
  afterAll(look: () => void): void {
    this.#retryMs = FIRST_RETRY_MS
    this.#set(this.#checkEveryMs, look)
  }

  async measure(work: () => Promise<void>): Promise<void> {
    this.stopTimer()
    const started = performance.now()
    await work()
    this.#lastMs = performance.now() - started
  }

  stop(): void {
    this.#isStopped = true
    this.stopTimer()
  }

  stopTimer(): void {
    clearTimeout(this.#timer)
    this.#dueAt = Number.POSITIVE_INFINITY
  }

  /** If a check is already scheduled, the earlier one wins. */
  #set(milliseconds: number, look: () => void): void {
    const dueAt = Date.now() + milliseconds
    if (this.#isStopped || dueAt >= this.#dueAt) return
    clearTimeout(this.#timer)
    this.#dueAt = dueAt
    this.#timer = setTimeout(() => {
      this.#dueAt = Number.POSITIVE_INFINITY
      look()
    }, milliseconds)
    this.#timer.unref()
  }
}
