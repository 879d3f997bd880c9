import type { Deriver } from '../derive/deriver.ts'
import type { Summary } from '../derive/summaries/summary.ts'
import {
  changeTopic,
  mergeTopics,
  moveMessage,
  readTopicMessages,
  restoreTopic,
  splitTopic,
  undoRestoreTopic,
} from '../derive/topics/change-topics.ts'
import { readTopics } from '../derive/topics/read-topics.ts'
import { drawTopicCurves, spreadMoments, type TopicCurve } from '../derive/topics/topic-curves.ts'
import { readTopicIds } from '../derive/topics/topic-ids.ts'
import { MemoryError } from '../domain/errors.ts'
import { type ConversationKey, type MessageId, messageId } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import type { Topic, TopicChanges } from '../domain/topic.ts'
import type { Tokenizer } from '../model/tokenizer.ts'
import type { ResolvedConfig } from '../options/options.ts'
import { acceptLimit } from '../record/accept-limit.ts'
import { acceptMoment } from '../record/accept-moment.ts'
import { acceptObject } from '../record/accept-object.ts'
import type { Store } from '../store/store.ts'

/** Which stretch of time to draw. */
export interface CurveOptions {
  /** @default when the first topic began */
  readonly from?: Date | string
  /** @default now */
  readonly to?: Date | string
  /** How many points each curve has, first and last included. @default 50 */
  readonly points?: number
}

/** The topics of one conversation. */
export interface TopicsHandle {
  /** By last use, newest first; archived ones included. */
  topics(): Promise<readonly Topic[]>
  topic(topicId: string): Promise<Topic>
  /** What was said of it, in its own sentences. */
  topicSummary(topicId: string): Promise<Summary>
  /** All messages of a topic in order, compressed or not. */
  topicMessages(topicId: string): Promise<readonly Message[]>
  /** Title, tags, importance, pin. */
  changeTopic(topicId: string, changes: TopicChanges): Promise<Topic>
  /** All messages of `from` go to `into`. */
  mergeTopics(intoId: string, fromId: string): Promise<Topic>
  /** Messages of one topic become a topic of their own. */
  splitTopic(messageIds: readonly string[]): Promise<Topic>
  moveMessage(messageId: string, topicId: string): Promise<Topic>
  /** Brings a faded topic back: at full strength, all its messages at hand, as if somebody had spoken of it now. */
  restoreTopic(topicId: string): Promise<Topic>
  /** Takes the last restore back, until the topic is used again. */
  undoRestoreTopic(topicId: string): Promise<Topic>
  /** How each topic faded and came back, in the order of `topics`. */
  topicCurves(options?: CurveOptions): Promise<readonly TopicCurve[]>
  /** The topic of each of these messages, as far as they were read; it waits for nothing. */
  topicIds(messages: readonly Pick<Message, 'id' | 'position'>[]): Promise<readonly (MessageId | undefined)[]>
}

interface TopicsParts {
  readonly store: Store
  readonly deriver: Deriver
  readonly options: Pick<ResolvedConfig, 'topics' | 'convo'>
  readonly loadTokenizer: () => Promise<Tokenizer>
  readonly now: () => Date
}

export function openTopics(parts: TopicsParts, key: ConversationKey): TopicsHandle {
  const { store, deriver, options, loadTokenizer, now } = parts
  const place = () => ({ store, key, now: now() })
  async function topics(): Promise<readonly Topic[]> {
    await deriver.catchUp(key)
    return readTopics({ store, options: options.topics, now: now() }, key)
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
    topic: find,
    async topicSummary(id) {
      const { summarizeTopic } = await import('../derive/summaries/topic-summary.ts')
      const { count: countTokens } = await loadTokenizer()
      const parts = { store, countTokens, options: options.convo, now: now() }
      const epoch = await store.epoch(key.workspace)
      return summarizeTopic(parts, key, {
        id: messageId(id),
        messages: await readTopicMessages(place(), id),
        epoch,
      })
    },
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
    restoreTopic: (id) =>
      arrange(async () => {
        await restoreTopic(place(), id)
        return id
      }),
    undoRestoreTopic: (id) =>
      arrange(async () => {
        await undoRestoreTopic(place(), id)
        return id
      }),
    topicCurves: async (curves) => drawCurves(parts, key, { topics: await topics(), ...curves }),
    topicIds: (messages) => readTopicIds(store, key, messages),
  }
}

async function drawCurves(
  { store, options, now }: TopicsParts,
  key: ConversationKey,
  { topics, ...curves }: CurveOptions & { readonly topics: readonly Topic[] },
): Promise<readonly TopicCurve[]> {
  acceptObject(curves, { what: 'a list of curves', fields: ['from', 'to', 'points'] })
  const to = curves.to === undefined ? now() : acceptMoment(curves.to, 'to')
  const first = Math.min(to.getTime(), ...topics.map(({ createdAt }) => createdAt.getTime()))
  const from = curves.from === undefined ? new Date(first) : acceptMoment(curves.from, 'from')
  if (from > to) {
    throw new MemoryError('invalid-input', `from (${from.toISOString()}) is after to (${to.toISOString()})`)
  }
  const moments = spreadMoments(from, to, acceptLimit(curves.points, 50))
  return drawTopicCurves({ store, options: options.topics, topics, moments }, key)
}
