// Topics fade when they are not mentioned: the priority halves with every half-life since the last use. Every use
// resets the priority and, each fifth time, doubles the half-life. Once a conversation has more topics than a
// person can look through, all faded ones are archived. An archived topic is hidden, not deleted: matching still
// knows it, and a message that matches restores it.

import type { ResolvedTopics } from '../../options/derive-options.ts'
import { halfLifeDays } from './half-life.ts'

const DAY_MS = 86_400_000

/** The fields of a topic that fading uses. */
export interface FadingTopic {
  readonly accesses: number
  readonly lastUsedAt: Date
  /** 0 to 1. */
  readonly importance?: number
}

export interface ArchivableTopic extends FadingTopic {
  readonly isCurrent: boolean
  readonly isPinned: boolean
  readonly isArchived: boolean
}

/** Importance, halved for every half-life since the last use. */
export function topicPriority(topic: FadingTopic, now: Date, options: ResolvedTopics): number {
  // A clock that was set back must not raise a topic above its importance.
  const ageDays = Math.max(0, now.getTime() - topic.lastUsedAt.getTime()) / DAY_MS
  const importance = topic.importance ?? options.importance
  return importance * 0.5 ** (ageDays / halfLifeDays(topic.accesses, options))
}

/** The topics to archive now. */
export function chooseTopicsToArchive<Topic extends ArchivableTopic>(
  topics: readonly Topic[],
  now: Date,
  options: ResolvedTopics,
): readonly Topic[] {
  const live = topics.filter(({ isArchived }) => !isArchived)
  if (live.length <= options.maxActive) return []
  const isFaded = (topic: Topic) => topicPriority(topic, now, options) < options.archiveBelow
  return live.filter((topic) => !topic.isCurrent && !topic.isPinned && isFaded(topic))
}
