import type { Place } from '../../domain/place.ts'
import type { Signal } from '../../domain/recall.ts'
import type { MessageHead } from '../../store/recall-store.ts'

/** What a message scored, signal by signal. */
export type Scores = Partial<Record<Signal, number>>

/** A message on its way up. */
export interface Candidate {
  readonly place: Place
  readonly head: MessageHead
  readonly scores: Scores
}

export function totalOf(scores: Scores): number {
  let sum = 0
  for (const value of Object.values(scores)) sum += value
  return sum
}

/** Somebody spoke, and was not an assistant: a user, or whoever has a name. */
export const isPerson = ({ role, name }: Pick<MessageHead, 'role' | 'name'>): boolean =>
  role === 'user' || (role === 'assistant' && name !== undefined)
