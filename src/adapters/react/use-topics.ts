import { useMemo } from 'react'
import type { Topic, TopicChanges } from '../../index.ts'
import type { Wire } from '../../schemas/wire.ts'
import type { TopicCalls } from './client/conversation-calls.ts'
import { type UsedRemote, useRemote } from './hooks.ts'
import { useRecollect } from './provider.tsx'

type Topics = readonly Wire<Topic>[]

export interface UsedTopics extends Omit<UsedRemote<Topics>, 'value' | 'assume'> {
  /** By last use, newest first; including archived ones. Missing until they are read. */
  readonly topics: Topics | undefined
  /** Shown at once; reverted, with an error thrown, if the server rejects it. */
  change(topicId: string, changes: TopicChanges): Promise<void>
  /** Moves all messages of `fromId` to `intoId`. */
  merge(intoId: string, fromId: string): Promise<void>
  /** Moves messages of one topic to a new topic. */
  split(messageIds: readonly string[]): Promise<void>
  move(messageId: string, topicId: string): Promise<void>
  /** Restores a faded topic, as if it had just been mentioned. */
  restore(topicId: string): Promise<void>
  /** Undoes the last restore, until the topic is used again. */
  undoRestore(topicId: string): Promise<void>
}

/** The topics of a conversation. Read again after every turn, in this tab or another. */
export function useTopics(conversationId: string): UsedTopics {
  const client = useRecollect()
  const {
    value: topics,
    assume,
    refresh,
    error,
    isLoading,
  } = useRemote<Topics>({
    name: `topics ${conversationId}`,
    read: (from, signal) => from.conversation(conversationId).topics.list({ signal }),
    about: [`conversation ${conversationId}`],
  })
  const calls = useMemo(() => {
    const { topics: at } = client.conversation(conversationId)
    return openTopicChanges(at, { assume, refresh })
  }, [client, conversationId, assume, refresh])
  return { topics, error, isLoading, refresh, ...calls }
}

type Shown = Pick<UsedRemote<Topics>, 'assume' | 'refresh'>
type Changes = Pick<UsedTopics, 'change' | 'merge' | 'split' | 'move' | 'restore' | 'undoRestore'>

function openTopicChanges(at: TopicCalls, { assume, refresh }: Shown): Changes {
  /** Whatever the outcome, the server's state is shown afterwards. */
  const thenRefresh = async (change: Promise<unknown>) => {
    try {
      await change
    } finally {
      await refresh()
    }
  }
  return {
    change(topicId, changes) {
      assume((topics) => topics.map((topic) => (topic.id === topicId ? withChanges(topic, changes) : topic)))
      return thenRefresh(at.change(topicId, changes))
    },
    merge(intoId, fromId) {
      assume((topics) => topics.filter(({ id }) => id !== fromId))
      return thenRefresh(at.merge(intoId, fromId))
    },
    split: (messageIds) => thenRefresh(at.split(messageIds)),
    move: (messageId, topicId) => thenRefresh(at.move(messageId, topicId)),
    restore(topicId) {
      assume((topics) => topics.map((topic) => (topic.id === topicId ? asRestored(topic) : topic)))
      return thenRefresh(at.restore(topicId))
    },
    undoRestore: (topicId) => thenRefresh(at.undoRestore(topicId)),
  }
}

/** Fields reset to their derived value are known only to the server. */
function withChanges(topic: Wire<Topic>, changes: TopicChanges): Wire<Topic> {
  const { title, importance, tags = topic.tags, isPinned = topic.isPinned } = changes
  return { ...topic, tags, isPinned, title: title ?? topic.title, importance: importance ?? topic.importance }
}

function asRestored(topic: Wire<Topic>): Wire<Topic> {
  const { state, importance, totalMessages, accessCount } = topic
  return {
    ...topic,
    state: state === 'archived' ? 'live' : state,
    priority: importance,
    accessCount: accessCount + 1,
    activeMessages: totalMessages,
    compressedMessages: 0,
    lastUsedAt: new Date().toISOString(),
    idleMs: 0,
  }
}
