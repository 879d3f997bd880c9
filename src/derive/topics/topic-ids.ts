import type { ConversationKey, MessageId } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import { READER } from '../../store/derivations.ts'
import type { Store } from '../../store/store.ts'

/** The topic of each message, as the id of its first message; undefined if the message was not read yet. */
export async function readTopicIds(
  store: Store,
  key: ConversationKey,
  messages: readonly Pick<Message, 'id' | 'position'>[],
): Promise<readonly (MessageId | undefined)[]> {
  const topics = await readTopicsAt(
    store,
    key,
    messages.map(({ position }) => position),
  )
  const ids = new Map(messages.map(({ position, id }) => [position, id]))
  for (const start of new Set(topics.values())) {
    if (ids.has(start)) continue
    const [id] = await store.messageIds({ ...key, after: start - 1, before: start + 1, limit: 1 })
    if (id !== undefined) ids.set(start, id)
  }
  return messages.map(({ position }) => {
    const start = topics.get(position)
    return start === undefined ? undefined : ids.get(start)
  })
}

/** The topic at each position, by its start. Reads contiguous positions at once. */
async function readTopicsAt(
  store: Store,
  key: ConversationKey,
  positions: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const topics = new Map<number, number>()
  for (const [from, to] of toStretches(positions)) {
    const range = { after: from - 1, before: to + 1, limit: to - from + 1 }
    const readings = await store.readings({ ...key, deriver: READER, ...range })
    for (const { position, topic } of readings) topics.set(position, topic)
  }
  return topics
}

function toStretches(positions: readonly number[]): readonly (readonly [number, number])[] {
  const stretches: [number, number][] = []
  for (const position of positions.toSorted((one, other) => one - other)) {
    const last = stretches.at(-1)
    if (last !== undefined && position <= last[1] + 1) last[1] = position
    else stretches.push([position, position])
  }
  return stretches
}
