/** Where in a page's history a word of the question stands. */
export interface WordHits {
  readonly positions: readonly number[]
  /** How many queries have the word, though not all of them may be among the positions. */
  readonly count: number
}

/** Below this share of what the question's words weigh together, a query has little to do with it, unless none has more. */
const LEAST_SHARE = 0.25

/**
 * The positions that share words with a question, best first: rare words weigh more than common ones, and
 * among equals the newer comes first. `total` is how many queries there are.
 */
export function rankPositions(hits: readonly WordHits[], total: number): readonly number[] {
  const scores = new Map<number, number>()
  let whole = 0
  for (const { positions, count } of hits) {
    if (positions.length === 0) continue
    const weight = Math.log(1 + total / count)
    whole += weight
    for (const position of new Set(positions)) scores.set(position, (scores.get(position) ?? 0) + weight)
  }
  const best = [...scores.values()].reduce((most, score) => Math.max(most, score), 0)
  const least = Math.min(best, whole * LEAST_SHARE)
  return [...scores]
    .filter(([, score]) => score >= least)
    .sort(([a, scoreOfA], [b, scoreOfB]) => scoreOfB - scoreOfA || b - a)
    .map(([position]) => position)
}
