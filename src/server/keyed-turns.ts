/** Requests with the same Idempotency-Key come one after the other, so that the second finds what the first made. */
export class KeyedTurns {
  readonly #last = new Map<string, Promise<unknown>>()

  run<T>(name: string | undefined, work: () => Promise<T>): Promise<T> {
    if (name === undefined) return work()
    const result = (this.#last.get(name) ?? Promise.resolve()).then(work, work)
    this.#last.set(name, result)
    const leave = () => {
      if (this.#last.get(name) === result) this.#last.delete(name)
    }
    result.then(leave, leave)
    return result
  }
}
