import type { MessageId } from '../../domain/ids.ts'

/** A standing memory item: sent whatever the question. */
export interface StandingItem {
  readonly kind: 'instruction' | 'preference' | 'fact' | 'block'
  readonly id: string
  /** "home: Lisbon" */
  readonly text: string
  /** Missing for items set by the application. */
  readonly since?: Date
  /** Oldest first. */
  readonly messageIds: readonly MessageId[]
  /** Why it is sent: a phrase that quotes no text. */
  readonly reason: string
}

/** Standing memory about the speakers; most important first within each kind. */
export interface StandingMemory {
  /** Standing instructions, and settings of the application. */
  readonly wishes: readonly StandingItem[]
  /** Memory blocks: "profile: …". */
  readonly blocks: readonly StandingItem[]
  /** Pinned facts. */
  readonly pinned: readonly StandingItem[]
  /** Lasting facts that matter to many questions. */
  readonly facts: readonly StandingItem[]
  readonly preferences: readonly StandingItem[]
}

export const NO_STANDING_MEMORY: StandingMemory = Object.freeze({
  wishes: [],
  blocks: [],
  pinned: [],
  facts: [],
  preferences: [],
})
