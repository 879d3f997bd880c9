// Where the tail begins. It should be as long as the budget allows, and it should begin at the same place
// for many turns: a provider's prompt cache hits only as far as the prompt is the same from its start. So
// the beginning moves in steps: with steps of an eighth of the budget, it moves only after an eighth of the
// budget was said, and on average a sixteenth stays unused.
//
// The steps lie on a grid over the running sum of tokens since the conversation began. That needs no memory
// of the last turn, gives the same answer to the same question, and never moves back.

import type { Turn } from './split-turns.ts'

export interface TailBudget {
  /** What the turns may cost together. */
  readonly roomTokens: number
  /** 0: no grid. */
  readonly stepTokens: number
  /** The turns reach back to the beginning of the conversation. */
  readonly isFromStart: boolean
  /** What each turn costs by itself. */
  readonly turnTokens: readonly number[]
  /** What turns `from` and later really cost, rendered together: results may move between turns. */
  readonly cost: (from: number) => number
}

/** The number of the first turn of the tail; `turns.length` for none. */
export function findTailStart(turns: readonly Turn[], budget: TailBudget): number {
  const starts = turns.map((_, i) => i).filter((i) => isOnGrid(turns, i, budget))
  const about = sumsFrom(budget.turnTokens)
  const likely = starts.findIndex((start) => (about[start] ?? 0) <= budget.roomTokens)
  const tried = likely < 0 ? [] : starts.slice(likely)
  return tried.find((start) => budget.cost(start) <= budget.roomTokens) ?? turns.length
}

/** For each turn, what it and all later ones cost. */
function sumsFrom(turnTokens: readonly number[]): readonly number[] {
  const sums = [...turnTokens]
  for (let i = sums.length - 2; i >= 0; i--) sums[i] = (sums[i] ?? 0) + (sums[i + 1] ?? 0)
  return sums
}

/** The first turn of the conversation, and each that is the first beyond a step. */
function isOnGrid(turns: readonly Turn[], i: number, { stepTokens, isFromStart }: TailBudget): boolean {
  if (i === 0) return isFromStart
  if (stepTokens === 0) return true
  const step = (turn: number) => Math.floor((turns[turn]?.messages[0]?.tokensBefore ?? 0) / stepTokens)
  return step(i) > step(i - 1)
}
