import type { ConversationId } from '../../domain/ids.ts'
import type { Candidate } from './candidate.ts'
import type { FactIdentity } from './fact-key.ts'
import type { LiveFact } from './live-fact.ts'

/** A candidate with what is known of where it comes from. */
export interface Claim extends Candidate {
  readonly conversationId?: ConversationId
  readonly madeBy?: string
  /** The second period that one message tells of. */
  readonly isSecond?: boolean
}

/** What a claim changes. `id` is that of the fact which its message would be the first to tell. */
export type FactOperation =
  | {
      readonly type: 'add'
      readonly claim: Claim
      readonly id: string
      readonly identity: FactIdentity
      readonly validUntil: Date | undefined
    }
  | { readonly type: 'confirm'; readonly fact: LiveFact; readonly claim: Claim; readonly id: string }
  /** It was rejected, and stays so. */
  | { readonly type: 'repeat'; readonly fact: LiveFact; readonly claim: Claim; readonly id: string }
  | { readonly type: 'close'; readonly fact: LiveFact; readonly claim: Claim; readonly validUntil: Date }
  | { readonly type: 'ignore'; readonly claim: Claim; readonly reason: IgnoreReason }

export type IgnoreReason = 'taken before' | 'nothing to close' | 'nothing to correct'
