import { definedFields } from '../domain/defined-fields.ts'
import type { WorkspaceId } from '../domain/ids.ts'
import { conversationNumberOf, type MessageLocator, toLocator } from '../domain/locator.ts'
import type { Recalled } from '../domain/recall.ts'
import type { RecallStore } from '../store/recall-store.ts'
import type { ScoredItem } from './scored-item.ts'

/** The position at which each message's topic began; undefined without a topic. */
export type TopicStarts = ReadonlyMap<MessageLocator, number | undefined>

export async function readTopicStarts(
  store: RecallStore,
  workspace: WorkspaceId,
  places: readonly MessageLocator[],
): Promise<TopicStarts> {
  const heads = places.length === 0 ? [] : await store.getMessageMeta(workspace, places)
  return new Map(heads.map(({ locator, topic }) => [locator, topic]))
}

export interface TopicNaming {
  readonly items: readonly Recalled[]
  readonly found: readonly ScoredItem[]
  /** May be incomplete. */
  readonly starts: TopicStarts
}

/** Adds the topic id to each message: the id of the message that began the topic. */
export async function nameTopics(
  store: RecallStore,
  workspace: WorkspaceId,
  { items, found, starts }: TopicNaming,
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
