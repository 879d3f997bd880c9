import { conversationNumberOf, placeOf } from '../domain/place.ts'
import type { Recalled } from '../domain/recall.ts'
import { given } from '../given.ts'
import type { RecallStore } from '../store/recall-store.ts'
import type { Found } from './found.ts'
import type { Scoped } from './scope.ts'

/** Each message with the id of its topic, which is that of the message that began it. */
export async function nameTopics(
  store: RecallStore,
  { workspace }: Scoped,
  { items, found }: { readonly items: readonly Recalled[]; readonly found: readonly Found[] },
): Promise<readonly Recalled[]> {
  const chosen = new Set(items.map(({ id }) => id))
  const places = found.flatMap(({ id, place }) => (place !== undefined && chosen.has(id) ? [place] : []))
  const heads = await store.headsAt(workspace, places)
  const beginnings = new Map(
    heads.flatMap(({ id, place, topic }) =>
      topic === undefined ? [] : [[id as string, placeOf(conversationNumberOf(place), topic)] as const],
    ),
  )
  const topics = await store.headsAt(workspace, [...new Set(beginnings.values())], { includeTopics: false })
  const idAt = new Map(topics.map(({ place, id }) => [place, id]))
  return items.map((item) => {
    const place = beginnings.get(item.id)
    return { ...item, ...given({ topicId: place && idAt.get(place) }) }
  })
}
