import { given } from '../domain/defined-fields.ts'
import type { WorkspaceId } from '../domain/ids.ts'
import { conversationNumberOf, type Place, placeOf } from '../domain/place.ts'
import type { Recalled } from '../domain/recall.ts'
import type { RecallStore } from '../store/recall-store.ts'
import type { Found } from './found.ts'

/** Of messages, the position at which their topic began; undefined of those that have none. */
export type TopicStarts = ReadonlyMap<Place, number | undefined>

export async function readTopicStarts(
  store: RecallStore,
  workspace: WorkspaceId,
  places: readonly Place[],
): Promise<TopicStarts> {
  const heads = places.length === 0 ? [] : await store.headsAt(workspace, places)
  return new Map(heads.map(({ place, topic }) => [place, topic]))
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
      return start === undefined ? [] : [[id, placeOf(conversationNumberOf(place), start)] as const]
    }),
  )
  const topics = await store.headsAt(workspace, [...new Set(beginnings.values())], { includeTopics: false })
  const idAt = new Map(topics.map(({ place, id }) => [place, id]))
  return items.map((item) => {
    const place = beginnings.get(item.id)
    return { ...item, ...given({ topicId: place && idAt.get(place) }) }
  })
}
