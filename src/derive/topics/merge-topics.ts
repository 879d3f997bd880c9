import type { ResolvedMatching } from './matching-options.ts'
import type { MatchedTopic, TopicCourse, TopicState } from './topic-state.ts'
import { addCentroids, similarity } from './vectors.ts'

/** Two topics that are the same. The later one is merged into the earlier. */
export interface TopicMerge {
  readonly into: number
  readonly from: number
}

/**
 * Finds a topic that is similar enough to be the same. The threshold is halfway between the same-topic similarity
 * and identity: two messages about a subject differ, but the sums of all messages hardly do.
 */
export function findTwin(
  topics: readonly MatchedTopic[],
  start: number,
  { sameTopicSimilarity }: ResolvedMatching,
): TopicMerge | undefined {
  const one = topics.find((topic) => topic.start === start)
  if (one === undefined) return undefined
  let highest = (1 + sameTopicSimilarity) / 2
  let merge: TopicMerge | undefined
  for (const other of topics) {
    if (other === one) continue
    const cosine = similarity(one.centroid.direction, other.centroid.direction)
    if (cosine <= highest) continue
    highest = cosine
    merge = { into: Math.min(one.start, other.start), from: Math.max(one.start, other.start) }
  }
  return merge
}

/** The matching state after the merge. */
export function mergeTopics(state: TopicState, merge: TopicMerge): TopicState {
  const moved = (topic: number): number => (topic === merge.from ? merge.into : topic)
  return {
    ...state,
    ...(state.settled && { settled: mergeInCourse(state.settled, merge) }),
    ...(state.newestTopic !== undefined && { newestTopic: moved(state.newestTopic) }),
  }
}

function mergeInCourse(course: TopicCourse, { into, from }: TopicMerge): TopicCourse {
  const gone = course.topics.find(({ start }) => start === from)
  if (gone === undefined) return course
  const topics = course.topics
    .filter(({ start }) => start !== from)
    .map((topic) =>
      topic.start === into ? { ...topic, centroid: addCentroids(topic.centroid, gone.centroid) } : topic,
    )
  return { ...course, topics, current: course.current === from ? into : course.current }
}
