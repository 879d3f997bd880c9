// The final order. Standing instructions get every fourth place from the third on, best first, whatever the question,
// unless their score puts them higher. If the question asks for a whole subject, every further message of a session
// counts less, so that no session crowds out the others.

export interface Ranked {
  readonly score: number
}

const INSTRUCTION_FIRST = 2
const INSTRUCTION_EVERY = 4

/** Number of places reserved for instructions among the first items. */
export const seatsAmong = (first: number): number =>
  Math.max(0, Math.ceil((first - INSTRUCTION_FIRST) / INSTRUCTION_EVERY))

/** Merges two sorted lists, best first except for the reserved places. */
export function seatInstructions<T extends Ranked>(
  others: readonly T[],
  instructions: readonly T[],
): readonly T[] {
  const seated: T[] = []
  const [rest, waiting] = [[...others], [...instructions]]
  while (rest.length > 0 || waiting.length > 0) {
    const at = seated.length - INSTRUCTION_FIRST
    const isKept = at >= 0 && at % INSTRUCTION_EVERY === 0
    const isBetter = waiting.length > 0 && scoreOf(waiting[0]) > scoreOf(rest[0])
    const next = (isKept || isBetter ? waiting.shift() : undefined) ?? rest.shift() ?? waiting.shift()
    if (next !== undefined) seated.push(next)
  }
  return seated
}

const scoreOf = (one: Ranked | undefined): number => one?.score ?? 0

export interface Spreading<T> {
  readonly groupOf: (candidate: T) => unknown
  /** Subtracted for every earlier item of the same group. */
  readonly crowding: number
}

/** Sorts again, with a penalty for every earlier item of the same group. `candidates` are sorted best first. */
export function spreadOut<T extends Ranked>(
  candidates: readonly T[],
  { groupOf, crowding }: Spreading<T>,
): readonly T[] {
  const used = new Map<unknown, number>()
  const rest = candidates.map((candidate) => ({ candidate, group: groupOf(candidate) }))
  const spread: T[] = []
  while (rest.length > 0) {
    let best = 0
    let bestScore = Number.NEGATIVE_INFINITY
    for (const [i, { candidate, group }] of rest.entries()) {
      const score = candidate.score - crowding * (used.get(group) ?? 0)
      if (score > bestScore) [best, bestScore] = [i, score]
    }
    const [{ candidate, group }] = rest.splice(best, 1) as [{ candidate: T; group: unknown }]
    used.set(group, (used.get(group) ?? 0) + 1)
    spread.push(candidate)
  }
  return spread
}
