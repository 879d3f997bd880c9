import type { ConversationId, MessageId } from './ids.ts'

/**
 * `fact`: an attribute with its value. `preference`: how somebody wants things. `instruction`: an order that holds until
 * it is withdrawn. `statement`: a short dated sentence worth keeping, without a fixed attribute.
 */
export const FACT_KINDS = ['fact', 'preference', 'instruction', 'statement'] as const
export type FactKind = (typeof FACT_KINDS)[number]

/** A durable statement. It is closed when it stops being true, and never erased by deriving. */
export interface Fact {
  /** Made from the words and the first message that says so: deriving anew gives the same. */
  readonly id: string
  /** Of subject, attribute and value: the same whenever the same is said. Pins, rejections and feedback go by it. */
  readonly key: string
  /** "user", the speaker's name, or somebody they speak of: "Ana's sister". */
  readonly subject: string
  readonly attribute: string
  readonly value: string
  readonly kind: FactKind
  readonly validFrom: Date
  /** Missing while it holds. Equal to `validFrom` when it was a mistake and never held. */
  readonly validUntil?: Date
  /** 0 to 1; 1 for what the user gave. */
  readonly confidence: number
  /** `given` once a user or the application added or changed it. */
  readonly origin: 'said' | 'given'
  /** The messages that say so, oldest first. */
  readonly sources: readonly MessageId[]
  /** The conversations that say so. */
  readonly conversationIds: readonly ConversationId[]
  /** When it was last said. */
  readonly saidAt: Date
  /** Set by the user. A rejected fact is kept, and does not come back by itself. */
  readonly rejectedAt?: Date
  readonly pinnedAt?: Date
}

/**
 * What happened to a fact: `stated` and `confirmed` by messages, `repeated` while it was rejected, `ended` by
 * words that say so, `superseded` by another value, `corrected` as a slip; the rest by the user.
 */
export type FactEventType =
  | 'stated'
  | 'confirmed'
  | 'repeated'
  | 'ended'
  | 'superseded'
  | 'corrected'
  | 'added'
  | 'changed'
  | 'pinned'
  | 'unpinned'
  | 'rejected'
  | 'restored'

export interface FactEvent {
  readonly type: FactEventType
  readonly at: Date
  /** The message that did it. */
  readonly messageId?: MessageId
  /** The edit that did it; it can be undone. */
  readonly editId?: number
  /** The id of the fact that took its place. */
  readonly by?: string
  /** Which model or built-in means read the message. */
  readonly madeBy?: string
  /** Of a change: what it said before. */
  readonly before?: Pick<Fact, 'subject' | 'attribute' | 'value' | 'kind' | 'validFrom' | 'validUntil'>
}

export interface FactWithHistory extends Fact {
  /** Oldest first. */
  readonly history: readonly FactEvent[]
}

/** Whether a fact holds at a moment. */
export function isTrueAt({ validFrom, validUntil }: FactPeriod, moment: Date): boolean {
  // As numbers: comparing dates themselves takes many times as long, and this is asked of every fact.
  const time = moment.getTime()
  return validFrom.getTime() <= time && (validUntil === undefined || time < validUntil.getTime())
}

/** From the first moment to the one it holds no longer at. */
export interface FactPeriod {
  readonly validFrom: Date
  readonly validUntil?: Date | undefined
}
