import type { Candidate, Fact } from './fact.ts'

/** What is to be written. Facts are named by their ids. */
export type FactOperation =
  | { readonly type: 'add'; readonly fact: Fact }
  | { readonly type: 'confirm'; readonly id: string; readonly candidate: Candidate; readonly validFrom: Date }
  | { readonly type: 'close'; readonly id: string; readonly validUntil: Date; readonly candidate: Candidate }
  | { readonly type: 'ignore'; readonly candidate: Candidate; readonly reason: IgnoreReason }

export type IgnoreReason = 'rejected' | 'taken before' | 'nothing to close' | 'nothing to correct'
