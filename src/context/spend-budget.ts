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
  /** What turns `from` and later cost when rendered. */
  readonly cost: (from: number) => number
}

/** The number of the first turn of the tail; `turns.length` for none. */
export function findTailStart(turns: readonly Turn[], budget: TailBudget): number {
  const starts = turns.map((_, i) => i).filter((i) => isOnGrid(turns, i, budget))
  // The rendered cost of a later start is never higher, but for a few tokens of repairs: those that the
  // search lands on too early are stepped over one by one.
  let low = 0
  for (let high = starts.length; low < high; ) {
    const middle = (low + high) >> 1
    if (budget.cost(starts[middle] as number) > budget.roomTokens) low = middle + 1
    else high = middle
  }
  while (low < starts.length && budget.cost(starts[low] as number) > budget.roomTokens) low++
  return starts[low] ?? turns.length
}

/** The first turn of the conversation, and each that is the first beyond a step. */
function isOnGrid(turns: readonly Turn[], i: number, { stepTokens, isFromStart }: TailBudget): boolean {
  if (i === 0) return isFromStart
  if (stepTokens === 0) return true
  const step = (turn: number) => Math.floor((turns[turn]?.messages[0]?.tokensBefore ?? 0) / stepTokens)
  return step(i) > step(i - 1)
}
