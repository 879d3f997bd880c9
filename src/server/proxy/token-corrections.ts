// How upstream servers count tokens, per model, learned from the usage they report with each answer. Budgets
// are in upstream tokens: if they count more than we do, we may use fewer of ours. Held in memory only; one
// answer is enough to learn a ratio again.

/** The weight of one more answer. */
const SHARE = 0.2
/** A ratio outside of this range cannot be a count of the same text. */
const [MIN_RATIO, MAX_RATIO] = [0.5, 2]
const MOST_MODELS = 100

export class TokenCorrections {
  readonly #ratios = new Map<string, number>()

  /** Learns from one request: our token count and that of the upstream server. */
  learn(model: string, ownTokens: number, theirTokens: number): void {
    if (ownTokens <= 0) return
    const ratio = Math.min(MAX_RATIO, Math.max(MIN_RATIO, theirTokens / ownTokens))
    const known = this.#ratios.get(model) ?? ratio
    this.#ratios.delete(model)
    this.#ratios.set(model, known + SHARE * (ratio - known))
    const [oldest = ''] = this.#ratios.keys()
    if (this.#ratios.size > MOST_MODELS) this.#ratios.delete(oldest)
  }

  /**
   * Converts upstream tokens to ours. If they count fewer than we do, the number stays the same, to be safe.
   */
  toOwn(model: string, tokens: number): number {
    return Math.floor(tokens / Math.max(1, this.#ratios.get(model) ?? 1))
  }
}
