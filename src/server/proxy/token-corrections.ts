// How the servers behind count, model by model, learned from what they say of each answer. A budget is theirs: where
// they count more than we do, less of it is ours to spend. Kept in memory alone; one answer tells it anew.

/** How much one more answer tells. */
const SHARE = 0.2
/** What is farther off is no count of the same words. */
const [LEAST, MOST] = [0.5, 2]
const MOST_MODELS = 100

export class TokenCorrections {
  readonly #ratios = new Map<string, number>()

  /** By the tokens of one request, as we count them and as the server behind does. */
  learn(model: string, ownTokens: number, theirTokens: number): void {
    if (ownTokens <= 0) return
    const ratio = Math.min(MOST, Math.max(LEAST, theirTokens / ownTokens))
    const known = this.#ratios.get(model) ?? ratio
    this.#ratios.delete(model)
    this.#ratios.set(model, known + SHARE * (ratio - known))
    const [oldest = ''] = this.#ratios.keys()
    if (this.#ratios.size > MOST_MODELS) this.#ratios.delete(oldest)
  }

  /** So many tokens of theirs, in ours. Where they count less than we do, nothing is risked. */
  toOwn(model: string, tokens: number): number {
    return Math.floor(tokens / Math.max(1, this.#ratios.get(model) ?? 1))
  }
}
