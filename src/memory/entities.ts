import { readEntities } from '../derive/entities/read-entities.ts'
import { ENTITY_TYPES, type EntityType, type WorkspaceEntity } from '../domain/entity.ts'
import type { ConversationId } from '../domain/ids.ts'
import { acceptChoice, acceptConversationId, acceptObject } from '../record/accept.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import { type PageOptions, type PaginatedList, paginateArray } from './paginate.ts'

export interface EntityListOptions extends PageOptions {
  readonly type?: EntityType
  /** Only entities that this conversation mentions. @default all conversations */
  readonly conversationId?: string
}

/**
 * People, organisations, products and places that messages mention: `memory.entities`.
 *
 * @example
 * for await (const { name, type, mentions } of memory.entities.list()) console.log(name, type, mentions)
 */
export interface Entities {
  /** Most often mentioned first. */
  list(options?: EntityListOptions): PaginatedList<WorkspaceEntity>
}

/** The same of one conversation: `trip.entities`. */
export interface ConversationEntities {
  list(options?: Omit<EntityListOptions, 'conversationId'>): PaginatedList<WorkspaceEntity>
}

export const createEntities = (deps: WorkspaceDeps): Entities => ({
  list: (options) => listEntities(deps, options),
})

export const createConversationEntities = (
  deps: WorkspaceDeps,
  id: ConversationId,
): ConversationEntities => ({
  list: (options) => listEntities(deps, { ...options, conversationId: id }),
})

const LIST_FIELDS = ['type', 'conversationId', 'limit', 'cursor'] as const

function listEntities(
  { store, workspace, limits }: WorkspaceDeps,
  options: EntityListOptions = {},
): PaginatedList<WorkspaceEntity> {
  async function readAll(): Promise<readonly WorkspaceEntity[]> {
    acceptObject(options, { what: 'a list of entities', fields: LIST_FIELDS })
    const { type, conversationId: id } = options
    if (type !== undefined) acceptChoice(type, { what: 'the type of an entity', choices: ENTITY_TYPES })
    return readEntities(store, {
      workspace,
      ...(type !== undefined && { type }),
      ...(id !== undefined && { conversation: acceptConversationId(id, limits) }),
    })
  }
  return paginateArray(readAll, options, ({ id }) => id)
}
