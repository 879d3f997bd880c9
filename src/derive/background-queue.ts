/** Each task takes a few milliseconds, and a `record` of the same conversation waits for a running one. */
const MAX_CONCURRENT = 4

/**
 * Work that no caller waits for. A few tasks run at a time, and each starts in its own turn of the event loop, so that
 * work scheduled by hundreds of conversations at once does not delay other requests.
 */
export class BackgroundQueue {
  readonly #waiting: Task[] = []
  readonly #running = new Map<Promise<void>, string>()

  /** The number of tasks waiting or running. */
  get size(): number {
    return this.#waiting.length + this.#running.size
  }

  /** The keys of waiting and running tasks; may contain duplicates. */
  get keys(): readonly string[] {
    return [...this.#waiting.map(({ key }) => key), ...this.#running.values()]
  }

  /** `run` must not reject. */
  add(key: string, run: () => Promise<void>): void {
    this.#waiting.push({ key, run })
    this.#startNext()
  }

  async whenIdle(): Promise<void> {
    while (this.size > 0) await Promise.allSettled(this.#running.keys())
  }

  #startNext(): void {
    const next = this.#running.size < MAX_CONCURRENT ? this.#waiting.shift() : undefined
    if (next === undefined) return
    const running = new Promise((turn) => setImmediate(turn)).then(next.run)
    this.#running.set(running, next.key)
    const finish = () => {
      this.#running.delete(running)
      this.#startNext()
    }
    running.then(finish, finish)
  }
}

interface Task {
  readonly key: string
  readonly run: () => Promise<void>
}
