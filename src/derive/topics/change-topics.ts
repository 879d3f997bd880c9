// Changes to topics by people. Each is stored as an edit, and applied again at the same position in a rebuild.

import { MemoryError } from '../../domain/errors.ts'
import type { ConversationKey, MessageId } from '../../domain/ids.ts'
import { messageId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Message } from '../../domain/message.ts'
import type { TopicChanges } from '../../schemas/conversation.ts'
import { READER } from '../../store/derivations.ts'
import type { Edit } from '../../store/edits.ts'
import type { Store } from '../../store/store.ts'
import { readMessagesAt } from '../reading/topic-members.ts'
import { TOPIC_CHANGES, TOPIC_RECALLED } from './read-topics.ts'

interface Place {
  readonly store: Store
  readonly key: ConversationKey
  readonly now: Date
}

const LONGEST_TITLE = 300
const NO_LIMIT = 1_000_000_000

/** Merges the changes into earlier ones. */
export async function changeTopic(place: Place, id: string, changes: TopicChanges): Promise<void> {
  checkChanges(changes)
  const start = await findTopic(place, id)
  const { store, key, now } = place
  const [before] = await store.edits({ ...key, kinds: [TOPIC_CHANGES], key: String(start) })
  const body = { ...before?.body, ...changes } as JsonObject
  const edit = { kind: TOPIC_CHANGES, key: String(start), body, conversation: key.conversation }
  await store.saveEdit(key.workspace, edit, { now, replace: true })
}

function checkChanges({ title, tags, importance }: TopicChanges): void {
  if (typeof title === 'string' && (title.trim() === '' || title.length > LONGEST_TITLE)) {
    throw new MemoryError('invalid-input', `a topic's title has 1 to ${LONGEST_TITLE} characters`)
  }
  if (tags?.some((tag) => typeof tag !== 'string' || tag === '')) {
    throw new MemoryError('invalid-input', 'tags of a topic are texts that are not empty')
  }
  if (typeof importance === 'number' && !(importance >= 0 && importance <= 1)) {
    throw new MemoryError('invalid-input', `importance is a number from 0 to 1, not ${importance}`)
  }
}

/**
 * Counts as a manual use: the topic fades from now on, as if somebody had mentioned it, and its messages are live
 * again. The previous uses are stored with it, so that it can be undone.
 */
export async function restoreTopic(place: Place, id: string): Promise<void> {
  const start = await findTopic(place, id)
  const body = (await findUse(place, start))?.body
  const before = body === undefined ? null : { times: Number(body['times']), at: String(body['at']) }
  const times = (before?.times ?? 0) + 1
  await saveUse(place, start, { times, at: place.now.toISOString(), before })
}

/** Possible until the topic is used again: after that, there is no previous state. */
export async function undoRestoreTopic(place: Place, id: string): Promise<void> {
  const start = await findTopic(place, id)
  const use = await findUse(place, start)
  const before = use?.body['before'] as JsonObject | null | undefined
  if (use === undefined || before === undefined) {
    throw new MemoryError('not-found', `the topic "${id}" was not restored, or was used since`)
  }
  if (before === null) await place.store.deleteEdits(place.key.workspace, [use.id])
  else await saveUse(place, start, before)
}

async function findUse({ store, key }: Place, start: number): Promise<Edit | undefined> {
  return (await store.edits({ ...key, kinds: [TOPIC_RECALLED], key: String(start) })).at(-1)
}

async function saveUse({ store, key, now }: Place, start: number, body: JsonObject): Promise<void> {
  const edit = { kind: TOPIC_RECALLED, key: String(start), body, conversation: key.conversation }
  await store.saveEdit(key.workspace, edit, { now, replace: true })
}

/** Moves all messages of one topic to the other, which keeps its name. */
export async function mergeTopics(place: Place, into: string, from: string): Promise<void> {
  const body = { into: await findTopic(place, into), from: await findTopic(place, from) }
  if (body.into === body.from) throw new MemoryError('invalid-input', 'a topic cannot be merged with itself')
  await saveStructure(place, 'topic-merge', body)
}

export async function moveMessage(place: Place, message: string, topic: string): Promise<void> {
  const { position } = await findMessage(place, message)
  await saveStructure(place, 'topic-move', { message: position, to: await findTopic(place, topic) })
}

/** Moves the messages, all of one topic, to a new topic, whose id is that of the first. */
export async function splitTopic(place: Place, messages: readonly string[]): Promise<MessageId> {
  const positions: number[] = []
  for (const id of messages) positions.push((await findMessage(place, id)).position)
  positions.sort((one, other) => one - other)
  const [first] = positions
  if (first === undefined) throw new MemoryError('invalid-input', 'name the messages that are to be a topic')
  const topics = new Set<number | undefined>()
  for (const position of positions) topics.add(await topicAt(place, position))
  if (topics.size > 1) {
    throw new MemoryError('invalid-input', 'the messages belong to several topics', {
      hint: 'move messages to a topic one by one, or merge the topics first',
    })
  }
  const all = await positionsOf(place, [...topics][0])
  if (all.length === new Set(positions).size) {
    throw new MemoryError('invalid-input', 'these are all messages of the topic: there is nothing to split')
  }
  await saveStructure(place, 'topic-split', { messages: positions })
  const [message] = await place.store.messageIds({ ...place.key, after: first - 1, limit: 1 })
  return message as MessageId
}

/** The messages of a topic in order, compressed or not. */
export async function readTopicMessages(place: Place, id: string): Promise<readonly Message[]> {
  const positions = await positionsOf(place, await findTopic(place, id))
  return readMessagesAt(place.store, place.key, positions)
}

async function positionsOf({ store, key }: Place, topic: number | undefined): Promise<number[]> {
  if (topic === undefined) return []
  const readings = await store.readings({ ...key, deriver: READER, topic, limit: NO_LIMIT })
  return readings.map(({ position }) => position)
}

async function saveStructure({ store, key, now }: Place, kind: string, body: JsonObject): Promise<void> {
  const { workspace, conversation } = key
  await store.saveEdit(workspace, { kind, key: '', body, conversation }, { now })
}

async function findMessage({ store, key }: Place, id: string): Promise<Message> {
  const message = await store.findMessage(key.workspace, messageId(id))
  if (message?.conversationId === key.conversation) return message
  throw new MemoryError('not-found', `"${key.conversation}" has no message "${id}"`)
}

/** The start of the topic with this id. */
async function findTopic(place: Place, id: string): Promise<number> {
  const { position } = await findMessage(place, id)
  if ((await positionsOf(place, position)).length > 0) return position
  throw new MemoryError('not-found', `there is no topic "${id}" in "${place.key.conversation}"`, {
    hint: 'list the topics of the conversation to see their ids',
  })
}

async function topicAt({ store, key }: Place, position: number): Promise<number | undefined> {
  const range = { after: position - 1, before: position + 1, limit: 1 }
  const [reading] = await store.readings({ ...key, deriver: READER, ...range })
  return reading?.topic
}
