// Applies edits of topics by people. An edit refers to topics by the position of any of their messages, so that
// it means the same after a rebuild.

import { definedFields } from '../../domain/defined-fields.ts'
import type { Message } from '../../domain/message.ts'
import type { Edit } from '../../store/edits.ts'
import type { ConversationReader } from '../reading/conversation-reader.ts'
import type { EditedTopic } from '../reading/topic-assigner.ts'
import { spokenText } from '../spoken-text.ts'
import { centroidOf } from './match-topic.ts'
import { makeTopicTitle } from './topic-title.ts'

/** Edits that change which messages belong together. */
export const TOPIC_STRUCTURE_EDITS = ['topic-merge', 'topic-move', 'topic-split'] as const

/** Positions of messages, here and below: any message of the topic that is meant. */
interface MergeBody {
  readonly into: number
  readonly from: number
}
interface MoveBody {
  readonly message: number
  readonly to: number
}
interface SplitBody {
  readonly messages: readonly number[]
}

/** What an edit needs to know about the conversation as it was read so far. */
export interface TopicMembers {
  /** The topic that the message belongs to. */
  readonly topicOf: (position: number) => Promise<number | undefined>
  /** The messages of a topic, in order, each with its vector. */
  readonly messagesOf: (topic: number) => Promise<readonly (readonly [Message, Float32Array])[]>
}

export async function applyTopicEdit(
  reader: ConversationReader,
  { kind, body }: Edit,
  members: TopicMembers,
): Promise<void> {
  reader.settle()
  if (kind === 'topic-merge') await merge(reader, body as unknown as MergeBody, members)
  else if (kind === 'topic-move') await move(reader, body as unknown as MoveBody, members)
  else await split(reader, body as unknown as SplitBody, members)
}

async function merge(reader: ConversationReader, body: MergeBody, members: TopicMembers): Promise<void> {
  const [into, from] = [await members.topicOf(body.into), await members.topicOf(body.from)]
  if (into !== undefined && from !== undefined && into !== from) reader.merge({ into, from })
}

async function move(reader: ConversationReader, body: MoveBody, members: TopicMembers): Promise<void> {
  const position = body.message
  const [from, to] = [await members.topicOf(position), await members.topicOf(body.to)]
  if (from === undefined || to === undefined || from === to) return
  const [left, right] = [await members.messagesOf(from), await members.messagesOf(to)]
  const moved = left.filter(([message]) => message.position === position)
  const joined = [...right, ...moved].sort(([one], [other]) => one.position - other.position)
  const rest = left.filter(([message]) => message.position !== position)
  reader.replaceTopics([toArranged(from, rest), toArranged(to, joined)])
}

/** Moves the given messages to a new topic. */
async function split(reader: ConversationReader, body: SplitBody, members: TopicMembers): Promise<void> {
  const positions = new Set(body.messages)
  const first = Math.min(...positions)
  const from = await members.topicOf(first)
  if (from === undefined) return
  const all = await members.messagesOf(from)
  const gone = all.filter(([message]) => positions.has(message.position))
  const rest = all.filter(([message]) => !positions.has(message.position))
  const [start] = gone
  if (start === undefined || rest.length === 0) return
  // A topic's key is its first message. If that one is moved, the rest is keyed by the next.
  const takesName = start[0].position === from
  const second = rest[0]?.[0].position ?? from
  reader.replaceTopics([
    toArranged(takesName ? second : from, rest),
    toArranged(takesName ? from : start[0].position, gone),
  ])
}

function toArranged(start: number, messages: readonly (readonly [Message, Float32Array])[]): EditedTopic {
  const [first] = messages
  return {
    start,
    title: first === undefined ? '' : makeTopicTitle(spokenText(first[0])),
    messages: messages.map(([message, vector]) => {
      const { position, createdAt, role, importance } = message
      const text = spokenText(message)
      const centroid = centroidOf(role, text, vector)
      const isAccess = role === 'user' && text !== ''
      return { position, saidAt: createdAt, isAccess, ...definedFields({ importance, centroid }) }
    }),
  }
}
