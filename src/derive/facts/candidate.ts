import type { FactKind } from '../../domain/fact.ts'
import type { MessageId } from '../../domain/ids.ts'

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
  /** In a fork: the message that this one is a copy of. */
  readonly copyOf?: MessageId
  readonly saidAt: Date
  /** The sentence that says so, as it was written. */
  readonly evidence: string
  /** For a correction: what it looks like, and what it replaces where that was said. */
  readonly shape?: ValueShape
  readonly insteadOf?: string
}
