import { type Entity, type EntityType, mostTold, type WorkspaceEntity } from '../../domain/entity.ts'
import type { ConversationId, WorkspaceId } from '../../domain/ids.ts'
import { type DerivationStore, READER } from '../../store/derivations.ts'
import { VersionedCache } from '../versioned-cache.ts'
import { readEntity } from './stored-entity.ts'

export interface EntityQuery {
  readonly workspace: WorkspaceId
  /** Only entities of this conversation, counted within it. */
  readonly conversation?: ConversationId
  readonly type?: EntityType
}

type EntityStore = Pick<DerivationStore, 'derivedItems' | 'itemsVersion'>

const merged = new VersionedCache<readonly WorkspaceEntity[]>()

/** The entities of a conversation or of all conversations, most mentioned first. */
export async function readEntities(
  store: EntityStore,
  { type, ...query }: EntityQuery,
): Promise<readonly WorkspaceEntity[]> {
  const entities =
    query.conversation === undefined
      ? await readWorkspace(store, query.workspace)
      : (await readFound(store, query)).map(toWorkspaceEntity).sort(compareMentions)
  return type === undefined ? entities : entities.filter((entity) => entity.type === type)
}

async function readWorkspace(
  store: EntityStore,
  workspace: WorkspaceId,
): Promise<readonly WorkspaceEntity[]> {
  const version = await store.itemsVersion({ workspace, kind: 'entity' })
  return merged.read({ store, workspace, version }, async () =>
    mergeEntities(await readFound(store, { workspace })),
  )
}

async function readFound(
  store: EntityStore,
  query: Omit<EntityQuery, 'type'>,
): Promise<readonly FoundEntity[]> {
  const items = await store.derivedItems({ ...query, deriver: READER, kind: 'entity' })
  return items.map((item) => ({ conversationId: item.conversationId, entity: readEntity(item) }))
}

const toWorkspaceEntity = ({ conversationId, entity }: FoundEntity): WorkspaceEntity => ({
  ...entity,
  conversationIds: [conversationId],
})

// Merges the entities of several conversations into those of a workspace. Equal names, ignoring case, are the
// same entity. A shorter name of a person is merged into the only person whose name contains it; if it fits two
// people, it is merged with neither, as within a conversation.

export interface FoundEntity {
  readonly conversationId: ConversationId
  readonly entity: Entity
}

/** Sorted by number of mentions, highest first. The order of the input does not matter. */
export function mergeEntities(found: readonly FoundEntity[]): WorkspaceEntity[] {
  const byName = new Map<string, WorkspaceEntity>()
  for (const { entity, conversationId } of found.toSorted(compareFound)) {
    const name = entity.name.toLowerCase()
    const before = byName.get(name)
    const one = { ...entity, conversationIds: [conversationId] }
    byName.set(name, before === undefined ? one : joinEntities(before, one))
  }
  return joinShortNames(byName).sort(compareMentions)
}

function joinShortNames(byName: Map<string, WorkspaceEntity>): WorkspaceEntity[] {
  const people = findPeople(byName)
  const shortFirst = [...byName.keys()].sort((left, right) => left.length - right.length)
  for (const name of shortFirst) {
    const short = byName.get(name)
    if (short === undefined || (short.type !== 'person' && short.type !== 'other')) continue
    const [full, ...others] = (people.get(firstWord(name)) ?? []).filter((person) => isPartOf(short, person))
    const whole = full === undefined || others.length > 0 ? undefined : byName.get(full)
    if (full === undefined || whole === undefined) continue
    byName.set(full, joinEntities(whole, short))
    byName.delete(name)
  }
  return [...byName.values()]
}

/** The names of people, by each of their words. */
function findPeople(byName: ReadonlyMap<string, WorkspaceEntity>): Map<string, string[]> {
  const people = new Map<string, string[]>()
  for (const [name, { type }] of byName) {
    if (type !== 'person') continue
    for (const word of new Set(name.split(' '))) people.set(word, [...(people.get(word) ?? []), name])
  }
  return people
}

const firstWord = (name: string): string => name.split(' ', 1)[0] ?? name

const isPartOf = ({ name, aliases }: Entity, person: string): boolean =>
  person.length > name.length && aliases.every((alias) => ` ${person} `.includes(` ${alias.toLowerCase()} `))

function joinEntities(whole: WorkspaceEntity, part: WorkspaceEntity): WorkspaceEntity {
  const told = sumTold(whole.told, part.told)
  const { id, firstMessageId, firstAt } = timeOf(part.firstAt) < timeOf(whole.firstAt) ? part : whole
  const { lastMessageId, lastAt } = timeOf(part.lastAt) > timeOf(whole.lastAt) ? part : whole
  return {
    ...whole,
    id,
    type: mostTold(told),
    aliases: [...new Set([...whole.aliases, ...part.aliases])],
    mentions: whole.mentions + part.mentions,
    told,
    firstMessageId,
    lastMessageId,
    ...(firstAt !== undefined && { firstAt }),
    ...(lastAt !== undefined && { lastAt }),
    conversationIds: [...new Set([...whole.conversationIds, ...part.conversationIds])],
  }
}

const timeOf = (moment: Date | undefined): number => moment?.getTime() ?? 0

function sumTold(left: Entity['told'], right: Entity['told']): Entity['told'] {
  const types = Object.keys({ ...left, ...right }) as EntityType[]
  return Object.fromEntries(types.map((type) => [type, (left[type] ?? 0) + (right[type] ?? 0)]))
}

const compareText = (left: string, right: string): number => (left < right ? -1 : Number(left > right))

const compareFound = (left: FoundEntity, right: FoundEntity): number =>
  compareText(left.conversationId, right.conversationId) || compareText(left.entity.id, right.entity.id)

const compareMentions = (left: Entity, right: Entity): number =>
  right.mentions - left.mentions || compareText(left.name, right.name)
