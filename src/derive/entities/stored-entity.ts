import type { Entity } from '../../domain/entity.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { StoredItem } from '../../store/derivations.ts'

/** The body of an entity's item; the item's key is the entity's id. */
export function toEntityBody({ firstAt, lastAt, ...entity }: Entity): JsonObject {
  return {
    ...entity,
    ...(firstAt !== undefined && { firstAt: firstAt.toISOString() }),
    ...(lastAt !== undefined && { lastAt: lastAt.toISOString() }),
  }
}

type EntityBody = Omit<Entity, 'firstAt' | 'lastAt'> & { readonly firstAt?: string; readonly lastAt?: string }

export function readEntity({ body }: Pick<StoredItem, 'body'>): Entity {
  const { firstAt, lastAt, ...entity } = body as unknown as EntityBody
  return {
    ...entity,
    ...(firstAt !== undefined && { firstAt: new Date(firstAt) }),
    ...(lastAt !== undefined && { lastAt: new Date(lastAt) }),
  }
}
