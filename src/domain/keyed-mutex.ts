/** Runs tasks with the same key one after the other; tasks with different keys run concurrently. */
export class KeyedMutex {
  /** The last task of each key that has work running or waiting. */
  readonly #last = new Map<string, Promise<unknown>>()
  /** Tasks that have not started yet, which `joinOrRun` can join. */
  readonly #waiting = new Map<string, Promise<unknown>>()

  /** The number of keys with work running or waiting. */
  get size(): number {
    return this.#last.size
  }

  get keys(): Iterable<string> {
    return this.#last.keys()
  }

  async whenIdle(): Promise<void> {
    while (this.#last.size > 0) await Promise.allSettled(this.#last.values())
  }

  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(key) ?? Promise.resolve()).then(task, task)
    this.#last.set(key, result)
    const release = () => {
      if (this.#last.get(key) === result) this.#last.delete(key)
    }
    result.then(release, release)
    return result
  }

  /** Like `run`, but returns the waiting task of the same key if there is one: it will see the same state. */
  joinOrRun(key: string, task: () => Promise<void>): Promise<void> {
    const waiting = this.#waiting.get(key)
    if (waiting !== undefined) return waiting as Promise<void>
    const result = this.run(key, () => {
      this.#waiting.delete(key)
      return task()
    })
    this.#waiting.set(key, result)
    return result
  }
}
