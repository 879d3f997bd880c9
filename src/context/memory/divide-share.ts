/** Something that wants a part of what there is. */
export interface Claim {
  /** What it could use. */
  readonly neededTokens: number
  /** Its part of the whole, 0 to 1; those of all together are 1 at most. */
  readonly share: number
}

/**
 * Divides tokens among claims. Each gets its share, or what it needs where that is less; what is over goes to the
 * first that needs more, then to the next. More to divide never makes any part smaller, and the parts depend on
 * what is needed, not on what is taken in the end: so taking less of one thing never brings in more of another.
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
