import type { Verdict } from './read-feedback.ts'

/** An importance and its components. */
export interface Importance {
  /** 0 to 1. */
  readonly importance: number
  /** What the application set, or 0.5. */
  readonly given: number
  readonly helpful: number
  readonly unhelpful: number
  /** How much feedback raised or lowered it. */
  readonly learned: number
  /** The last verdict, if any. */
  readonly verdict?: Verdict
}

/** Importance of items for which none was set. */
export const PLAIN_IMPORTANCE = 0.5

/** The given importance weighs as much as this many verdicts: one changes it a little, a handful decide. */
const GIVEN_WEIGHT = 4

/** Weighted mean of the given importance and all verdicts, each counted as 1 or 0. */
export function learnImportance(given: number, helpful: number, unhelpful: number): Importance {
  const importance = (given * GIVEN_WEIGHT + helpful) / (GIVEN_WEIGHT + helpful + unhelpful)
  return { importance, given, helpful, unhelpful, learned: importance - given }
}
