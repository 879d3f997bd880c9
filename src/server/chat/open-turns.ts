/** Turns that are being answered. A turn may outlive its client: the answer is recorded anyway. */
export class OpenTurns {
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #kept = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()

  /** Aborted to stop every answer. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  add(turn: Promise<unknown>): void {
    watch(this.#underWay, turn)
  }

  /** Keeps a turn that the client's next request may depend on. */
  keep(turn: Promise<unknown>): void {
    watch(this.#underWay, turn)
    watch(this.#kept, turn)
  }

  /** Resolves when all turns passed to `keep` are recorded. */
  async settleKept(): Promise<void> {
    if (this.#kept.size > 0) await Promise.allSettled(this.#kept)
  }

  stop(): void {
    this.#closing.abort(new DOMException('the server is being closed', 'AbortError'))
  }

  /** Resolves when all turns are recorded. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#underWay)
  }
}

/** Ignores errors: they are reported to the caller that started the turn. */
function watch(turns: Set<Promise<unknown>>, turn: Promise<unknown>): void {
  const forget = () => turns.delete(turn)
  turns.add(turn)
  turn.then(forget, forget)
}
