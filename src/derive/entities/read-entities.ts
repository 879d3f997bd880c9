import type { EntityType, WorkspaceEntity } from '../../domain/entity.ts'
import type { ConversationId, WorkspaceId } from '../../domain/ids.ts'
import { type DerivationStore, READER } from '../../store/derivations.ts'
import { VersionedCache } from '../versioned-cache.ts'
import { compareMentions, type FoundEntity, mergeEntities } from './merge-entities.ts'
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
