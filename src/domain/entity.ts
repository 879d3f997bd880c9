import type { ConversationId, MessageId } from './ids.ts'

export const ENTITY_TYPES = [
  'person',
  'organisation',
  'product',
  'place',
  'date',
  'file',
  'url',
  'email',
  /** A name without a cue for its type. */
  'other',
] as const
export type EntityType = (typeof ENTITY_TYPES)[number]

/** A person, place, organisation or thing that is mentioned, under any of its names. */
export interface Entity {
  /** Made from the first name that was seen; stays the same when a fuller name is found. */
  readonly id: string
  /** The fullest name so far. */
  readonly name: string
  readonly type: EntityType
  /** All spellings, the fullest first. */
  readonly aliases: readonly string[]
  readonly mentions: number
  /** How often cues indicated each type. The most frequent one is the type. */
  readonly told: Readonly<Partial<Record<EntityType, number>>>
  readonly firstMessageId: MessageId
  readonly lastMessageId: MessageId
  /** When those messages were written, if known. */
  readonly firstAt?: Date
  readonly lastAt?: Date
}

/** An entity with the conversations that mention it. */
export interface WorkspaceEntity extends Entity {
  readonly conversationIds: readonly ConversationId[]
}

/** The type that cues indicated most often. */
export function mostTold(told: Entity['told']): EntityType {
  const types = Object.entries(told) as [EntityType, number][]
  return types.reduce<[EntityType, number]>(
    (most, next) => (next[1] > most[1] ? next : most),
    ['other', 0],
  )[0]
}
