import type { ExtractedFact } from './extracted-fact.ts'
import type { FactIdentity } from './fact-key.ts'
import type { MutableFact } from './mutable-fact.ts'

/** A change to the facts. `id` is the id of the fact that the message would be the first to state. */
export type FactOperation =
  | {
      readonly type: 'add'
      readonly extracted: ExtractedFact
      readonly id: string
      /** One message can state two periods of the same fact. */
      readonly isSecondPeriod?: true
      readonly identity: FactIdentity
      readonly validUntil: Date | undefined
    }
  | {
      readonly type: 'confirm'
      readonly fact: MutableFact
      readonly extracted: ExtractedFact
      readonly id: string
    }
  /** It was rejected and stays rejected. */
  | {
      readonly type: 'repeat'
      readonly fact: MutableFact
      readonly extracted: ExtractedFact
      readonly id: string
    }
  | {
      readonly type: 'close'
      readonly fact: MutableFact
      readonly extracted: ExtractedFact
      readonly validUntil: Date
    }
  | { readonly type: 'ignore'; readonly extracted: ExtractedFact; readonly reason: IgnoreReason }

export type IgnoreReason = 'taken before' | 'nothing to close' | 'nothing to correct' | 'not worth keeping'
