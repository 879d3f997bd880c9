import type { ConversationId, MessageId } from '../../domain/ids.ts'

export const ENTITY_TYPES = [
  'person',
  'organisation',
  'product',
  'place',
  'date',
  'file',
  'url',
  'email',
  /** A name without a cue of what it names. */
  'other',
] as const
export type EntityType = (typeof ENTITY_TYPES)[number]

/** Somebody or something that is spoken of, by whatever names. */
export interface Entity {
  /** Made from the first name it went by: it stays when a fuller one comes. */
  readonly id: string
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
  /** When those messages were written, where that is known. */
  readonly firstAt?: Date
  readonly lastAt?: Date
}

/** An entity with the conversations that mention it. */
export interface WorkspaceEntity extends Entity {
  readonly conversationIds: readonly ConversationId[]
}

/** The type that cues told most often. */
export function mostTold(told: Entity['told']): EntityType {
  const types = Object.entries(told) as [EntityType, number][]
  return types.reduce<[EntityType, number]>(
    (most, next) => (next[1] > most[1] ? next : most),
    ['other', 0],
  )[0]
}
