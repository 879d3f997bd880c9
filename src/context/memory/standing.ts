import type { MessageId } from '../../domain/ids.ts'

/** Something that is known whatever is asked. */
export interface StandingItem {
  readonly kind: 'instruction' | 'preference' | 'fact'
  readonly id: string
  /** "home: Lisbon" */
  readonly text: string
  /** Missing for what the application set. */
  readonly since?: Date
  /** Oldest first. */
  readonly messageIds: readonly MessageId[]
  /** Why it stands there: a phrase that quotes nothing. */
  readonly reason: string
}

/** What is known of whoever speaks here; of each kind, what matters most comes first. */
export interface StandingMemory {
  /** Standing instructions, and what the application has set. */
  readonly wishes: readonly StandingItem[]
  /** Facts that somebody pinned. */
  readonly pinned: readonly StandingItem[]
  /** Facts that hold for long and matter to many a question. */
  readonly facts: readonly StandingItem[]
  readonly preferences: readonly StandingItem[]
}

export const NOTHING_STANDING: StandingMemory = Object.freeze({
  wishes: [],
  pinned: [],
  facts: [],
  preferences: [],
})
