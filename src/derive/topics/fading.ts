// Topics fade when they are not spoken of: the priority halves with every half-life since the last use, and
// every use starts the count again and, each fifth time, doubles the half-life. What has faded is archived,
// lowest first, once a conversation has more topics than one can look through. Archived is out of the way,
// not gone: matching still knows the topic, and words that match bring it back.

import type { ResolvedTopics } from '../../options/derive-options.ts'
import { halfLifeDays } from './half-life.ts'

const DAY_MS = 86_400_000

/** What fading needs to know of a topic. */
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
  // A clock that was set back must not lift a topic above its importance.
  const ageDays = Math.max(0, now.getTime() - topic.lastUsedAt.getTime()) / DAY_MS
  const importance = topic.importance ?? options.importance
  return importance * 0.5 ** (ageDays / halfLifeDays(topic.accesses, options))
}

/** The topics to archive now, lowest priority first; of equals the earlier one in the list. */
export function chooseTopicsToArchive<Topic extends ArchivableTopic>(
  topics: readonly Topic[],
  now: Date,
  options: ResolvedTopics,
): readonly Topic[] {
  const live = topics.filter(({ isArchived }) => !isArchived)
  const excess = Math.max(0, live.length - options.maxActive)
  return live
    .filter(({ isCurrent, isPinned }) => !isCurrent && !isPinned)
    .map((topic) => ({ topic, priority: topicPriority(topic, now, options) }))
    .filter(({ priority }) => priority < options.archiveBelow)
    .sort((one, other) => one.priority - other.priority)
    .slice(0, excess)
    .map(({ topic }) => topic)
}
