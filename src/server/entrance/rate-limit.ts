/** Token bucket per caller: each request takes one token, and tokens are refilled at a steady rate. */
export class RateLimit {
  readonly #perSecond: number
  readonly #burst: number
  readonly #buckets = new Map<string, { tokens: number; at: number }>()

  constructor({ requestsPerSecond, requestBurst }: { requestsPerSecond: number; requestBurst: number }) {
    this.#perSecond = requestsPerSecond
    this.#burst = Math.max(1, requestBurst)
  }

  /** Seconds until the caller may retry; undefined if the request is allowed. */
  take(caller: string, nowMs: number): number | undefined {
    if (this.#perSecond === 0) return undefined
    const before = this.#buckets.get(caller)
    const gained = before === undefined ? 0 : (Math.max(0, nowMs - before.at) / 1000) * this.#perSecond
    const tokens = Math.min(this.#burst, (before?.tokens ?? this.#burst) + gained)
    const isLet = tokens >= 1
    this.#buckets.delete(caller)
    this.#buckets.set(caller, { tokens: isLet ? tokens - 1 : tokens, at: nowMs })
    this.#forgetOldest()
    return isLet ? undefined : Math.ceil((1 - tokens) / this.#perSecond)
  }

  /**
   * Evicts the caller that was idle longest: its bucket is full again, unless there are very many callers.
   */
  #forgetOldest(): void {
    if (this.#buckets.size <= MOST_CALLERS) return
    const [oldest] = this.#buckets.keys()
    if (oldest !== undefined) this.#buckets.delete(oldest)
  }
}

const MOST_CALLERS = 10_000
