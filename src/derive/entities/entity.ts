import type { MessageId } from '../../domain/ids.ts'

export type EntityType =
  | 'person'
  | 'organisation'
  | 'product'
  | 'place'
  | 'date'
  | 'file'
  | 'url'
  | 'email'
  /** A name without a cue of what it names. */
  | 'other'

/** Somebody or something that is spoken of, by whatever names. */
export interface Entity {
  /** The fullest name so far. */
  readonly name: string
  readonly type: EntityType
  /** Every way it was written, the fullest first. */
  readonly aliases: readonly string[]
  readonly mentions: number
  /** How often cues told each type; the most frequent is the type. */
  readonly told: Readonly<Partial<Record<EntityType, number>>>
  readonly firstMessageId: MessageId
  readonly lastMessageId: MessageId
}
