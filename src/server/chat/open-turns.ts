/** Turns that are being answered. Their end may outlast their reader: what was answered is recorded then. */
export class OpenTurns {
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #kept = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()

  /** Stops every answer. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  add(turn: Promise<unknown>): void {
    watch(this.#underWay, turn)
  }

  /** A turn whose end the next request of its client may build upon. */
  keep(turn: Promise<unknown>): void {
    watch(this.#underWay, turn)
    watch(this.#kept, turn)
  }

  /** Resolves when all of these are recorded. */
  async settleKept(): Promise<void> {
    if (this.#kept.size > 0) await Promise.allSettled(this.#kept)
  }

  stop(): void {
    this.#closing.abort(new DOMException('the server is being closed', 'AbortError'))
  }

  /** Resolves when nothing is left to be recorded. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#underWay)
  }
}

/** Whoever began a turn hears of its failure; here only its end counts. */
function watch(turns: Set<Promise<unknown>>, turn: Promise<unknown>): void {
  const forget = () => turns.delete(turn)
  turns.add(turn)
  turn.then(forget, forget)
}
