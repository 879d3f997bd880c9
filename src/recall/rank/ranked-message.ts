import type { MessageLocator } from '../../domain/locator.ts'
import type { Signal } from '../../domain/recall.ts'
import type { MessageMeta } from '../../store/recall-store.ts'

/** The score of a message, by signal. */
export type Scores = Partial<Record<Signal, number>>

/** A candidate message with its score so far. */
export interface RankedMessage {
  readonly place: MessageLocator
  readonly head: MessageMeta
  readonly scores: Scores
  /** The sum over all signals. */
  readonly score: number
}

export function totalOf(scores: Scores): number {
  let sum = 0
  for (const signal in scores) sum += scores[signal as Signal] as number
  return sum
}

/** Leaves out signals that add nothing. */
export function withoutZeros(scores: Scores): Scores {
  const kept: Scores = {}
  for (const signal in scores) {
    const value = scores[signal as Signal] as number
    if (value !== 0) kept[signal as Signal] = value
  }
  return kept
}

/** Best first, then newest first. */
export const byScore = (one: RankedMessage, other: RankedMessage): number =>
  other.score - one.score || other.place - one.place

/** A person: a user, or an assistant with a name. */
export const isPerson = ({ role, name }: Pick<MessageMeta, 'role' | 'name'>): boolean =>
  role === 'user' || (role === 'assistant' && name !== undefined)
