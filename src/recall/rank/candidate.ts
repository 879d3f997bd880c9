import type { MessageLocator } from '../../domain/locator.ts'
import type { Signal } from '../../domain/recall.ts'
import type { MessageMeta } from '../../store/recall-store.ts'

/** What a message scored, signal by signal. */
export type Scores = Partial<Record<Signal, number>>

/** A message on its way up. */
export interface Candidate {
  readonly place: MessageLocator
  readonly head: MessageMeta
  readonly scores: Scores
  /** All signals together. */
  readonly score: number
}

export function totalOf(scores: Scores): number {
  let sum = 0
  for (const signal in scores) sum += scores[signal as Signal] as number
  return sum
}

/** What adds nothing is left out. */
export function withoutZeros(scores: Scores): Scores {
  const kept: Scores = {}
  for (const signal in scores) {
    const value = scores[signal as Signal] as number
    if (value !== 0) kept[signal as Signal] = value
  }
  return kept
}

/** Best first; of equals the newer. */
export const byScore = (one: Candidate, other: Candidate): number =>
  other.score - one.score || other.place - one.place

/** Somebody spoke, and was not an assistant: a user, or whoever has a name. */
export const isPerson = ({ role, name }: Pick<MessageMeta, 'role' | 'name'>): boolean =>
  role === 'user' || (role === 'assistant' && name !== undefined)
