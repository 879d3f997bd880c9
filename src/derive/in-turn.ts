/** Runs work one after the other for each name, and side by side for different names. */
export class InTurn {
  readonly #last = new Map<string, Promise<unknown>>()
  /** Asked for but not begun: whoever asks for the same joins it. */
  readonly #waiting = new Map<string, Promise<unknown>>()

  /** For how many names work is under way or waits. */
  get size(): number {
    return this.#last.size
  }

  /** Those names. */
  get names(): Iterable<string> {
    return this.#last.keys()
  }

  /** Resolves when nothing is under way. */
  async whenIdle(): Promise<void> {
    while (this.#last.size > 0) await Promise.allSettled(this.#last.values())
  }

  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve()
    const result = before.then(work, work)
    this.#last.set(name, result)
    const leave = () => {
      if (this.#last.get(name) === result) this.#last.delete(name)
    }
    result.then(leave, leave)
    return result
  }

  /** Like `run`, but joins work of the same name that has not begun: it will see what this caller saw. */
  join(name: string, work: () => Promise<void>): Promise<void> {
    const waiting = this.#waiting.get(name)
    if (waiting !== undefined) return waiting as Promise<void>
    const result = this.run(name, () => {
      this.#waiting.delete(name)
      return work()
    })
    this.#waiting.set(name, result)
    return result
  }
}
