import type { MessageId } from '../../domain/ids.ts'

/** A statement about the world, how somebody wants things, or an order that stands until it is taken back. */
export type FactKind = 'fact' | 'preference' | 'instruction'

/** A durable statement. It is closed when it stops being true, and never erased by deriving. */
export interface Fact {
  /** Made from subject, attribute, value and the first message, so that deriving anew gives the same ids. */
  readonly id: string
  /** "user", the speaker's name, or somebody they speak of: "Ana's sister". */
  readonly subject: string
  readonly attribute: string
  readonly value: string
  readonly kind: FactKind
  readonly validFrom: Date
  /** Missing while it holds. Equal to `validFrom` when it was a mistake and never held. */
  readonly validUntil?: Date
  /** 0 to 1. */
  readonly confidence: number
  /** The messages that say so, oldest first. */
  readonly sources: readonly MessageId[]
  /** When it was last said. */
  readonly saidAt: Date
  /** Set by the user. A rejected fact is kept, and does not come back by itself. */
  readonly rejectedAt?: Date
}

/**
 * What a message does to the facts: `state` says that something holds, `end` that it holds no longer, and
 * `correct` that the last thing of this shape was wrong ("no, Tuesday").
 */
export type CandidateAction = 'state' | 'end' | 'correct'

/** What a correction looks like, to find what it corrects. */
export type ValueShape = 'date' | 'number' | 'name'

/** What one message seems to say, before it meets the facts that are known. */
export interface Candidate {
  readonly action: CandidateAction
  readonly subject: string
  /** Empty for a correction, which takes it over from what it corrects. */
  readonly attribute: string
  /** Missing when an end means every value: "I sold the car". */
  readonly value?: string
  readonly kind: FactKind
  readonly validFrom: Date
  readonly validUntil?: Date
  readonly confidence: number
  readonly messageId: MessageId
  readonly saidAt: Date
  /** The sentence that says so, as it was written. */
  readonly evidence: string
  /** For a correction: what it looks like, and what it replaces where that was said. */
  readonly shape?: ValueShape
  readonly insteadOf?: string
}
