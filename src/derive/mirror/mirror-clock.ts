/** Long enough that the messages of a turn go together, short enough that nobody waits for it. */
const SOON_MS = 500
const FIRST_RETRY_MS = 2000
/** Of the time of a process, looking takes a tenth at most: large workspaces are looked at less often … */
const REST_FACTOR = 9
/** … but changes wait no longer than this. */
const LONGEST_REST_MS = 10_000

/** When the next look is due. Keeps no process alive. */
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

  /** Something is to be done. */
  soon(): void {
    this.#set(SOON_MS + Math.min(LONGEST_REST_MS, REST_FACTOR * this.#lastMs), this.#look)
  }

  /** Longer each time, up to the usual interval. */
  afterFailure(): void {
    this.stopTimer()
    this.#set(this.#retryMs, this.#look)
    this.#retryMs = Math.min(2 * this.#retryMs, Math.max(this.#checkEveryMs, FIRST_RETRY_MS))
  }

  /** All is in step. */
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

  /** The earlier of two counts. */
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
