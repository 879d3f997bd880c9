// Spares a server that fails, and those who wait for it. Closed, it lets everything through and counts failures in a
// row. When there are enough of them it opens: for a while, tries are refused at once. After that it is half open:
// one try goes through, and its outcome closes the circuit or opens it anew. An answer that refuses a request is an
// answer: the server is well.

export interface CircuitOptions {
  readonly circuitFailures: number
  readonly circuitRestMs: number
}

export class CircuitBreaker {
  readonly #options: CircuitOptions
  #failures = 0
  #openedAt: number | undefined
  #isTrying = false

  constructor(options: CircuitOptions) {
    this.#options = options
  }

  get isOpen(): boolean {
    return this.#openedAt !== undefined
  }

  /** Asks for a try: undefined when it may go ahead, else how long the rest still lasts. */
  refuse(now: number): number | undefined {
    if (this.#openedAt === undefined) return undefined
    const restMs = this.#openedAt + this.#options.circuitRestMs - now
    if (restMs > 0) return restMs
    if (this.#isTrying) return 0
    this.#isTrying = true
    return undefined
  }

  /** The server answered. */
  close(): void {
    this.#failures = 0
    this.#openedAt = undefined
    this.#isTrying = false
  }

  /** The server failed. */
  fail(now: number): void {
    this.#failures++
    this.#isTrying = false
    if (this.#failures >= this.#options.circuitFailures) this.#openedAt = now
  }

  /** The caller went away before it was known: the next may try. */
  leave(): void {
    this.#isTrying = false
  }
}
