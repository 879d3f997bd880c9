import type { Deriver } from './derive/deriver.ts'
import {
  changeTopic,
  mergeTopics,
  moveMessage,
  readTopicMessages,
  splitTopic,
} from './derive/topics/change-topics.ts'
import { readTopics } from './derive/topics/read-topics.ts'
import type { ConversationKey } from './domain/ids.ts'
import type { Message } from './domain/message.ts'
import type { Topic, TopicChanges } from './domain/topic.ts'
import { MemoryError } from './errors.ts'
import type { ResolvedTopics } from './options.ts'
import type { Store } from './store/store.ts'

/** The topics of one conversation. */
export interface TopicsHandle {
  /** By last use, newest first; archived ones included. */
  topics(): Promise<readonly Topic[]>
  /** All messages of a topic in order, compressed or not. */
  topicMessages(topicId: string): Promise<readonly Message[]>
  /** Title, tags, importance, pin. */
  changeTopic(topicId: string, changes: TopicChanges): Promise<Topic>
  /** All messages of `from` go to `into`. */
  mergeTopics(intoId: string, fromId: string): Promise<Topic>
  /** Messages of one topic become a topic of their own. */
  splitTopic(messageIds: readonly string[]): Promise<Topic>
  moveMessage(messageId: string, topicId: string): Promise<Topic>
}

interface TopicsParts {
  readonly store: Store
  readonly deriver: Deriver
  readonly options: ResolvedTopics
  readonly now: () => Date
}

export function openTopics(
  { store, deriver, options, now }: TopicsParts,
  key: ConversationKey,
): TopicsHandle {
  const place = () => ({ store, key, now: now() })
  async function topics(): Promise<readonly Topic[]> {
    await deriver.catchUp(key)
    return readTopics({ store, options, now: now() }, key)
  }
  async function find(id: string): Promise<Topic> {
    const topic = (await topics()).find((one) => one.id === id)
    if (topic !== undefined) return topic
    throw new MemoryError('not-found', `there is no topic "${id}" in "${key.conversation}"`)
  }
  /** Changes the record, then what is derived from it, and shows the topic as it is after that. */
  async function arrange(change: () => Promise<string>): Promise<Topic> {
    await deriver.catchUp(key)
    const id = await change()
    await deriver.catchUp(key)
    return find(id)
  }
  return {
    topics,
    topicMessages: (id) => readTopicMessages(place(), id),
    async changeTopic(id, changes) {
      await changeTopic(place(), id, changes)
      return find(id)
    },
    mergeTopics: (into, from) =>
      arrange(async () => {
        await mergeTopics(place(), into, from)
        return into
      }),
    splitTopic: (ids) => arrange(() => splitTopic(place(), ids)),
    moveMessage: (id, topic) =>
      arrange(async () => {
        await moveMessage(place(), id, topic)
        return topic
      }),
  }
}
