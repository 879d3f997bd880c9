/** A claim to a part of the tokens. */
export interface Claim {
  /** Tokens it could use. */
  readonly neededTokens: number
  /** Its guaranteed part, 0 to 1; all parts add up to at most 1. */
  readonly share: number
}

/**
 * Divides tokens among claims. Each gets its share, or what it needs if that is less; the rest goes to the first claim
 * that needs more, then to the next. A larger total never makes any part smaller. The parts depend on what is needed,
 * not on what is used in the end, so using less of one never gives more to another.
 */
export function divideShare(totalTokens: number, claims: readonly Claim[]): readonly number[] {
  const total = Math.max(0, totalTokens)
  const granted = claims.map(({ neededTokens, share }) => Math.min(neededTokens, total * share))
  let over = total - granted.reduce((sum, tokens) => sum + tokens, 0)
  return claims.map(({ neededTokens }, i) => {
    const own = granted[i] as number
    const extra = Math.min(neededTokens - own, over)
    over -= extra
    return own + extra
  })
}
