import type { ConversationId, MessageId } from './ids.ts'

/**
 * `fact`: an attribute with its value. `preference`: how somebody wants things. `instruction`: an order that
 * holds until it is withdrawn. `statement`: a short dated sentence worth keeping, without a fixed attribute.
 */
export const FACT_KINDS = ['fact', 'preference', 'instruction', 'statement'] as const
export type FactKind = (typeof FACT_KINDS)[number]

/** A durable statement. It is closed when it stops being true, and never erased by deriving. */
export interface Fact {
  /** Derived from the text and the first message that says so: deriving again gives the same id. */
  readonly id: string
  /**
   * Derived from subject, attribute and value: the same whenever the same is said. Pins, rejections and
   * feedback refer to it.
   */
  readonly key: string
  /** "user", the speaker's name, or a person they mention: "Ana's sister". */
  readonly subject: string
  readonly attribute: string
  readonly value: string
  readonly kind: FactKind
  readonly validFrom: Date
  /** Missing while it holds. Equal to `validFrom` if it was a mistake and never held. */
  readonly validUntil?: Date
  /** 0 to 1; 1 for facts given by the user. */
  readonly confidence: number
  /** `given` once a user or the application added or changed it. */
  readonly origin: 'said' | 'given'
  /** The messages that say so, oldest first. */
  readonly sources: readonly MessageId[]
  /** The conversations that say so. */
  readonly conversationIds: readonly ConversationId[]
  /** When it was last said. */
  readonly saidAt: Date
  /** Set by the user. A rejected fact is kept, and does not become active again by itself. */
  readonly rejectedAt?: Date
  readonly pinnedAt?: Date
}

/**
 * What happened to a fact: `stated` and `confirmed` by messages, `repeated` while it was rejected, `ended` by
 * a message that says so, `superseded` by another value, `corrected` as a slip; the rest by the user.
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
  /** The message that caused it. */
  readonly messageId?: MessageId
  /** The edit that caused it; it can be undone. */
  readonly editId?: number
  /** The id of the fact that replaced it. */
  readonly by?: string
  /** The model or built-in method that read the message. */
  readonly madeBy?: string
  /** For a change: the previous content. */
  readonly before?: Pick<Fact, 'subject' | 'attribute' | 'value' | 'kind' | 'validFrom' | 'validUntil'>
}

export interface FactWithHistory extends Fact {
  /** Oldest first. */
  readonly history: readonly FactEvent[]
}

/** Whether a fact holds at a given time. */
export function isTrueAt({ validFrom, validUntil }: FactPeriod, moment: Date): boolean {
  // As numbers: comparing Date objects is many times slower, and this runs for every fact.
  const time = moment.getTime()
  return validFrom.getTime() <= time && (validUntil === undefined || time < validUntil.getTime())
}

/** `validUntil` is exclusive. */
export interface FactPeriod {
  readonly validFrom: Date
  readonly validUntil?: Date | undefined
}
