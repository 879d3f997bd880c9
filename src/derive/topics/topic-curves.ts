// How the priority of topics changed over time. Nothing is stored: it is computed from the times of their
// messages.

import type { ConversationKey, MessageId } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import type { Topic } from '../../domain/topic.ts'
import type { ResolvedTopics } from '../../options/derive-options.ts'
import { readMessages } from '../../store/read-pages.ts'
import type { Store } from '../../store/store.ts'
import { spokenText } from '../spoken-text.ts'
import { topicPriority } from './fading.ts'

export interface CurvePoint {
  readonly at: Date
  /** 0 before the topic was first mentioned. */
  readonly priority: number
}

/** The priority of a topic over time. */
export interface TopicCurve {
  readonly topicId: MessageId
  readonly points: readonly CurvePoint[]
}

/** A use of a topic, for fading. */
interface Use {
  readonly at: number
  /** Whether a person mentioned it. */
  readonly isAccess: boolean
}

interface Curves {
  readonly store: Store
  readonly options: ResolvedTopics
  readonly topics: readonly Topic[]
  readonly moments: readonly Date[]
}

/** Uses the current importance of each topic. */
export async function drawTopicCurves(
  { store, options, topics, moments }: Curves,
  key: ConversationKey,
): Promise<readonly TopicCurve[]> {
  const uses = await readUses(store, key)
  return topics.map((topic) => {
    const spoken = topic.messageIds.flatMap((id) => uses.get(id) ?? [])
    const ofTopic = [...spoken, ...usesBeside(topic, spoken)].sort((a, b) => a.at - b.at)
    const points = moments.map((at) => ({ at, priority: priorityAt(at, { topic, uses: ofTopic, options }) }))
    return { topicId: topic.id, points }
  })
}

async function readUses(store: Store, key: ConversationKey): Promise<ReadonlyMap<MessageId, Use>> {
  const uses = new Map<MessageId, Use>()
  for await (const message of readMessages(store, key)) uses.set(message.id, toUse(message))
  return uses
}

/** Uses without a message: recalled or manually restored. Only the time of the last one is known. */
function usesBeside(topic: Topic, spoken: readonly Use[]): readonly Use[] {
  const missing = topic.accessCount - spoken.filter(({ isAccess }) => isAccess).length
  const at = topic.lastUsedAt.getTime()
  return Array.from({ length: Math.max(0, missing) }, () => ({ at, isAccess: true }))
}

const toUse = (message: Message): Use => ({
  at: message.createdAt.getTime(),
  isAccess: message.role === 'user' && spokenText(message) !== '',
})

function priorityAt(
  at: Date,
  { topic, uses, options }: { topic: Topic; uses: readonly Use[]; options: ResolvedTopics },
): number {
  const before = uses.filter((use) => use.at <= at.getTime())
  const last = before.at(-1)
  if (last === undefined) return 0
  const accesses = before.filter(({ isAccess }) => isAccess).length
  return topicPriority({ accesses, lastUsedAt: new Date(last.at), importance: topic.importance }, at, options)
}

/** `count` evenly spaced moments from one to the other, both included. */
export function spreadMoments(from: Date, to: Date, count: number): readonly Date[] {
  const step = count === 1 ? 0 : (to.getTime() - from.getTime()) / (count - 1)
  return Array.from({ length: count }, (_, i) => new Date(Math.round(from.getTime() + i * step)))
}
