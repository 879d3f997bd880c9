import type { Verdict } from './read-feedback.ts'

/** An importance, and what it is made of. */
export interface Importance {
  /** 0 to 1. */
  readonly importance: number
  /** What the application said, or 0.5. */
  readonly given: number
  readonly helpful: number
  readonly unhelpful: number
  /** How much the feedback added or took away. */
  readonly learned: number
  /** The verdict that was given last, where there is one. */
  readonly verdict?: Verdict
}

/** What counts where nobody said anything. */
export const PLAIN_IMPORTANCE = 0.5

/** What was given counts as much as so many verdicts: one moves it a little, a handful decide. */
const GIVEN_WEIGHT = 4

/** The share of what speaks for a thing: what was given, and each verdict as 1 or 0. */
export function learnImportance(given: number, helpful: number, unhelpful: number): Importance {
  const importance = (given * GIVEN_WEIGHT + helpful) / (GIVEN_WEIGHT + helpful + unhelpful)
  return { importance, given, helpful, unhelpful, learned: importance - given }
}
