// Finds the entities that messages mention, one message at a time. Returns the entities that each message
// changed; the caller stores them. Aliases: a one-word name is merged into the only known person whose name
// contains it ("Ana", "Dr. Silva" and "Ana Silva"); if it fits two people, it is merged with neither. If cues
// indicate several types, the most frequent one wins.

import { Digest } from '../../domain/digest.ts'
import { type Entity, type EntityType, mostTold } from '../../domain/entity.ts'
import type { MessageId } from '../../domain/ids.ts'
import { EntityIndex } from './entity-index.ts'
import { type EntityMention, findMentions } from './find-mentions.ts'

export interface EntityMessage {
  readonly id: MessageId
  readonly text: string
  /** Without it, dates are not found. */
  readonly createdAt?: Date
}

/** The known entities, from a store or an index. */
export interface KnownEntities {
  /** The entity with this name, ignoring case. */
  readonly find: (alias: string) => Entity | undefined
  /** People whose name contains this word. */
  readonly people: (word: string) => readonly Entity[]
}

/** The rest of a long paste rarely names anything that its beginning does not. */
const READ_CHARACTERS = 6000

/** The entities that a message adds or mentions again, in their new state. */
export function findEntities(message: EntityMessage, known: KnownEntities): Entity[] {
  const changed = new EntityIndex()
  const text = message.text.slice(0, READ_CHARACTERS)
  const isKnown = (name: string): boolean => known.find(name) !== undefined
  for (const mention of findMentions(text, isKnown, message.createdAt)) {
    const before = findSame(mention, [changed, known])
    changed.add(before === undefined ? toEntity(mention, message) : join(before, mention, message))
  }
  return changed.all()
}

function findSame({ name, type }: EntityMention, places: readonly KnownEntities[]): Entity | undefined {
  const find = (alias: string): Entity | undefined => places.map((place) => place.find(alias)).find(Boolean)
  const exact = find(name)
  if (exact !== undefined || (type !== 'person' && type !== 'other')) return exact
  const words = name.split(' ')
  if (words.length > 1)
    return words.map(find).find((entity) => entity !== undefined && isPartOf(entity, name))
  const people = new Map(
    places.toReversed().flatMap((place) => place.people(name).map((one) => [one.id, one])),
  )
  return people.size === 1 ? [...people.values()][0] : undefined
}

const isPartOf = ({ type, aliases }: Entity, name: string): boolean =>
  type === 'person' && aliases.every((alias) => name.includes(alias))

function toEntity({ name, type }: EntityMention, { id, createdAt }: EntityMessage): Entity {
  return {
    id: new Digest().add(name.toLowerCase()).toString(),
    name,
    type,
    aliases: [name],
    mentions: 1,
    told: tell({}, type),
    firstMessageId: id,
    lastMessageId: id,
    ...(createdAt !== undefined && { firstAt: createdAt, lastAt: createdAt }),
  }
}

function join(entity: Entity, { name, type }: EntityMention, { id, createdAt }: EntityMessage): Entity {
  const aliases = entity.aliases.includes(name)
    ? entity.aliases
    : [...entity.aliases, name].sort((left, right) => right.length - left.length)
  const told = tell(entity.told, type)
  const mentions = entity.mentions + 1
  return {
    ...entity,
    name: aliases[0] ?? name,
    type: mostTold(told),
    told,
    aliases,
    mentions,
    lastMessageId: id,
    ...(createdAt !== undefined && { lastAt: createdAt }),
  }
}

function tell(told: Entity['told'], type: EntityType): Entity['told'] {
  return type === 'other' ? told : { ...told, [type]: (told[type] ?? 0) + 1 }
}
