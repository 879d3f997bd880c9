import { definedFields } from '../domain/defined-fields.ts'
import type { WorkspaceId } from '../domain/ids.ts'
import { conversationNumberOf, type MessageLocator, toLocator } from '../domain/locator.ts'
import type { Recalled } from '../domain/recall.ts'
import type { RecallStore } from '../store/recall-store.ts'
import type { Found } from './found.ts'

/** Of messages, the position at which their topic began; undefined of those that have none. */
export type TopicStarts = ReadonlyMap<MessageLocator, number | undefined>

export async function readTopicStarts(
  store: RecallStore,
  workspace: WorkspaceId,
  places: readonly MessageLocator[],
): Promise<TopicStarts> {
  const heads = places.length === 0 ? [] : await store.getMessageMeta(workspace, places)
  return new Map(heads.map(({ locator, topic }) => [locator, topic]))
}

export interface ToBeNamed {
  readonly items: readonly Recalled[]
  readonly found: readonly Found[]
  /** As far as they are known. */
  readonly starts: TopicStarts
}

/** Each message with the id of its topic, which is that of the message that began it. */
export async function nameTopics(
  store: RecallStore,
  workspace: WorkspaceId,
  { items, found, starts }: ToBeNamed,
): Promise<readonly Recalled[]> {
  const chosen = new Set(items.map(({ id }) => id))
  const placed = found.flatMap(({ id, place }) =>
    place !== undefined && chosen.has(id) ? [{ id, place }] : [],
  )
  const unknown = placed.flatMap(({ place }) => (starts.has(place) ? [] : [place]))
  const all = new Map([...starts, ...(await readTopicStarts(store, workspace, unknown))])
  const beginnings = new Map(
    placed.flatMap(({ id, place }) => {
      const start = all.get(place)
      return start === undefined ? [] : [[id, toLocator(conversationNumberOf(place), start)] as const]
    }),
  )
  const topics = await store.getMessageMeta(workspace, [...new Set(beginnings.values())], {
    includeTopics: false,
  })
  const idAt = new Map(topics.map(({ locator, id }) => [locator, id]))
  return items.map((item) => {
    const place = beginnings.get(item.id)
    return { ...item, ...definedFields({ topicId: place && idAt.get(place) }) }
  })
}
