// Who and what is spoken of, message by message. Each message gives the entities that it changed; the caller
// keeps them. Aliases: a name of one word joins the one known person whose name contains it ("Ana", "Dr. Silva"
// and "Ana Silva"); where two people would fit it joins neither. Of several
// types that cues told, the most frequent counts.

import { Digest } from '../../domain/digest.ts'
import type { MessageId } from '../../domain/ids.ts'
import { type Entity, type EntityType, mostTold } from './entity.ts'
import { EntityIndex } from './entity-index.ts'
import { type EntityMention, findMentions } from './find-mentions.ts'

export interface EntityMessage {
  readonly id: MessageId
  readonly text: string
  /** Dates are found only where this is given. */
  readonly createdAt?: Date
}

/** The entities that are known, as a store or an index answers. */
export interface KnownEntities {
  /** The entity that goes by this name, whatever its case. */
  readonly find: (alias: string) => Entity | undefined
  /** People who have this word in their name. */
  readonly people: (word: string) => readonly Entity[]
}

/** Long pastes name nothing that their beginning does not. */
const READ_CHARACTERS = 6000

/** The entities that a message brings or mentions again, as they are after it. */
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
