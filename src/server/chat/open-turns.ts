/** Turns that are being answered. Their end may outlast their reader: what was answered is recorded then. */
export class OpenTurns {
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()

  /** Stops every answer. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  add(turn: Promise<unknown>): void {
    const ended = turn.finally(() => this.#underWay.delete(ended))
    this.#underWay.add(ended)
  }

  stop(): void {
    this.#closing.abort(new DOMException('the server is being closed', 'AbortError'))
  }

  /** Resolves when nothing is left to be recorded. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#underWay)
  }
}
