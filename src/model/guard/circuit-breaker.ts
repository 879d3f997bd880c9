// Protects a failing server, and its callers from waiting for it. Closed, the circuit lets all calls through
// and counts consecutive failures. After enough of them it opens: for a while, calls are rejected at once.
// After that it is half open: one trial call goes through, and its outcome closes the circuit or opens it
// again. A response that rejects a request still counts as a response: the server is healthy.

interface CircuitOptions {
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

  /** Requests a try: undefined if it may proceed, else the remaining rest period. */
  refuse(now: number): number | undefined {
    if (this.#openedAt === undefined) return undefined
    const restMs = this.#openedAt + this.#options.circuitRestMs - now
    if (restMs > 0) return restMs
    if (this.#isTrying) return 0
    this.#isTrying = true
    return undefined
  }

  /** The server responded. */
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

  /** The caller left before the outcome was known: the next one may try. */
  leave(): void {
    this.#isTrying = false
  }
}

/** Limits concurrency; further callers wait in order. */
export class Semaphore {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(atOnce: number) {
    this.#free = atOnce
  }

  /** Resolves to a function that releases the slot; calling it twice has no effect. */
  async take(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted()
    if (this.#free > 0) this.#free--
    else await this.#stand(signal)
    let isHeld = true
    return () => {
      if (isHeld) this.#giveBack()
      isHeld = false
    }
  }

  #stand(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1)
        reject(signal?.reason)
      }
      this.#waiting.push(enter)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  #giveBack(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free++
    else next()
  }
}
