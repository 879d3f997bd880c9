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
import type { Topic } from '../domain/topic.ts'
import type { LanguageModel, Tokenizer } from '../model/models.ts'
import type { ResolvedConfig } from '../options/options.ts'
import { acceptMoment, acceptObject } from '../record/accept.ts'
import { check } from '../schemas/check.ts'
import type { TopicChanges } from '../schemas/conversation.ts'
import { topicContext } from '../schemas/lists.ts'
import { checkLimit } from '../schemas/values.ts'
import type { Store } from '../store/store.ts'
import { type PageOptions, type PaginatedList, paginateArray } from './paginate.ts'
import { type TopicContext, toTopicContext } from './topic-context.ts'

/** The time range of the curves. */
export interface CurveOptions {
  /** @default when the first topic began */
  readonly from?: Date | string
  /** @default now */
  readonly to?: Date | string
  /** Number of points per curve, including the first and last. @default 50 */
  readonly points?: number
}

export interface TopicContextOptions {
  /** Maximum tokens of the text; the oldest messages are left out first. @default the option context.memoryTokens */
  readonly budgetTokens?: number
}

/**
 * What a conversation is about: `trip.topics`.
 *
 * @example
 * const { items: topics } = await trip.topics.list()
 * const [topic] = topics
 * await trip.topics.update(topic.id, { title: 'Food in Lisbon', isPinned: true })
 * const messages = await trip.topics.messages(topic.id).toArray()
 */
export interface Topics {
  /** Most recently used first, archived ones included. */
  list(options?: PageOptions): PaginatedList<Topic>
  get(id: string): Promise<Topic | undefined>
  /** Title, tags, importance, pin. */
  update(id: string, changes: TopicChanges): Promise<Topic>
  /** All messages of a topic in order, compressed ones included. */
  messages(id: string, options?: PageOptions): PaginatedList<Message>
  /** A summary of a topic: by the language model if there is one, otherwise in sentences taken from its messages. */
  summary(id: string): Promise<Summary>
  /** The topic as a part of a prompt: its summary and uncompressed messages, or all messages of a restored topic. */
  context(id: string, options?: TopicContextOptions): Promise<TopicContext>
  /** Moves all messages of the topic `fromId` to the topic `intoId`. */
  merge(intoId: string, fromId: string): Promise<Topic>
  /** Moves messages of one topic to a new topic. */
  split(messageIds: readonly string[]): Promise<Topic>
  moveMessage(messageId: string, topicId: string): Promise<Topic>
  /** Restores a faded topic to full priority with all its messages, as if it had just been mentioned. */
  restore(id: string): Promise<Topic>
  /** Reverts the last restore, until the topic is used again. */
  undoRestore(id: string): Promise<Topic>
  /** The priority of each topic over time, in the order of `list`. */
  curves(options?: CurveOptions): Promise<readonly TopicCurve[]>
  /** The topic id of each of these messages; undefined if it is not derived yet. Waits for nothing. */
  idsOf(messages: readonly Pick<Message, 'id' | 'position'>[]): Promise<readonly (MessageId | undefined)[]>
}

interface TopicsParts {
  readonly store: Store
  readonly deriver: Deriver
  readonly options: Pick<ResolvedConfig, 'topics' | 'summary' | 'context'>
  readonly model: LanguageModel | undefined
  readonly loadTokenizer: () => Promise<Tokenizer>
  readonly now: () => Date
}

export function createTopics(parts: TopicsParts, key: ConversationKey): Topics {
  const { store, deriver, options, now } = parts
  const place = () => ({ store, key, now: now() })
  async function topics(): Promise<readonly Topic[]> {
    await deriver.catchUp(key)
    return readTopics({ store, options: options.topics, now: now() }, key)
  }
  const find = async (id: string) => (await topics()).find((one) => one.id === id)
  async function need(id: string): Promise<Topic> {
    const topic = await find(id)
    if (topic !== undefined) return topic
    throw new MemoryError('not-found', `there is no topic "${id}" in "${key.conversation}"`)
  }
  /** Changes the record, derives again, and returns the updated topic. */
  async function arrange(change: () => Promise<string>): Promise<Topic> {
    await deriver.catchUp(key)
    const id = await change()
    await deriver.catchUp(key)
    return need(id)
  }
  return {
    list: (options) => paginateArray(topics, options, ({ id }) => id),
    get: find,
    summary: (id) => summarize(parts, key, id),
    context: async (id, request = {}) => describe(parts, key, { topic: await need(id), ...request }),
    messages: (id, options) =>
      paginateArray(
        () => readTopicMessages(place(), id),
        options,
        (message) => message.id,
      ),
    async update(id, changes) {
      await changeTopic(place(), id, changes)
      return need(id)
    },
    merge: (into, from) =>
      arrange(async () => {
        await mergeTopics(place(), into, from)
        return into
      }),
    split: (ids) => arrange(() => splitTopic(place(), ids)),
    moveMessage: (id, topic) =>
      arrange(async () => {
        await moveMessage(place(), id, topic)
        return topic
      }),
    restore: (id) =>
      arrange(async () => {
        await restoreTopic(place(), id)
        return id
      }),
    undoRestore: (id) =>
      arrange(async () => {
        await undoRestoreTopic(place(), id)
        return id
      }),
    curves: async (curves) => drawCurves(parts, key, { topics: await topics(), ...curves }),
    idsOf: (messages) => readTopicIds(store, key, messages),
  }
}

async function summarize(
  { store, options, model, loadTokenizer, now }: TopicsParts,
  key: ConversationKey,
  id: string,
): Promise<Summary> {
  const { summarizeTopic } = await import('../derive/summaries/topic-summary.ts')
  const { count: countTokens } = await loadTokenizer()
  const moment = now()
  const erasureVersion = await store.erasureVersion(key.workspace)
  return summarizeTopic({ store, countTokens, options: options.summary, model, now: moment }, key, {
    id: messageId(id),
    messages: await readTopicMessages({ store, key, now: moment }, id),
    erasureVersion,
  })
}

async function describe(
  parts: TopicsParts,
  key: ConversationKey,
  { topic, ...request }: TopicContextOptions & { readonly topic: Topic },
): Promise<TopicContext> {
  const { store, options, loadTokenizer, now } = parts
  const { budgetTokens = options.context.memoryTokens } = check(topicContext, request)
  const [{ count: countTokens }, messages, { text: summary }] = await Promise.all([
    loadTokenizer(),
    readTopicMessages({ store, key, now: now() }, topic.id),
    summarize(parts, key, topic.id),
  ])
  return toTopicContext({ topic, messages, summary, countTokens, budgetTokens })
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
  const moments = spreadMoments(from, to, checkLimit(curves.points, 50))
  return drawTopicCurves({ store, options: options.topics, topics, moments }, key)
}
