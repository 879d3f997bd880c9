/** A bucket for each caller: a request takes one token, and tokens come back at a steady rate. */
export class RateLimit {
  readonly #perSecond: number
  readonly #burst: number
  readonly #buckets = new Map<string, { tokens: number; at: number }>()

  constructor({ requestsPerSecond, requestBurst }: { requestsPerSecond: number; requestBurst: number }) {
    this.#perSecond = requestsPerSecond
    this.#burst = Math.max(1, requestBurst)
  }

  /** After how many seconds to come again; undefined when the caller may go on. */
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

  /** Whoever has not come for longest has a full bucket again, or is one of very many. */
  #forgetOldest(): void {
    if (this.#buckets.size <= MOST_CALLERS) return
    const [oldest] = this.#buckets.keys()
    if (oldest !== undefined) this.#buckets.delete(oldest)
  }
}

const MOST_CALLERS = 10_000
