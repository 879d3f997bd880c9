/** Side by side: each is a few milliseconds of work, and whoever records a message waits for what is under way. */
const MOST_AT_ONCE = 4

/**
 * Work that nobody waits for. A few pieces are under way at any time, and each begins in a turn of the event loop of its
 * own: what hundreds of conversations call for at the same moment does not hold up whoever asks for something.
 */
export class Lane {
  readonly #waiting: Piece[] = []
  readonly #underWay = new Map<Promise<void>, string>()

  /** What waits or is under way. */
  get size(): number {
    return this.#waiting.length + this.#underWay.size
  }

  /** Whose work it is; some more than once. */
  get names(): readonly string[] {
    return [...this.#waiting.map(({ name }) => name), ...this.#underWay.values()]
  }

  /** `work` must not fail. */
  add(name: string, work: () => Promise<void>): void {
    this.#waiting.push({ name, work })
    this.#begin()
  }

  async whenIdle(): Promise<void> {
    while (this.size > 0) await Promise.allSettled(this.#underWay.keys())
  }

  #begin(): void {
    const next = this.#underWay.size < MOST_AT_ONCE ? this.#waiting.shift() : undefined
    if (next === undefined) return
    const run = new Promise((turn) => setImmediate(turn)).then(next.work)
    this.#underWay.set(run, next.name)
    const leave = () => {
      this.#underWay.delete(run)
      this.#begin()
    }
    run.then(leave, leave)
  }
}

interface Piece {
  readonly name: string
  readonly work: () => Promise<void>
}
