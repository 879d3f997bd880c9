import { expect, test } from 'vitest'
import { DEFAULTS } from '../../options/options.ts'
import { resolveMatching } from './matching-options.ts'
import { findTwin, mergeTopics } from './merge-topics.ts'
import type { MatchedTopic, ReadMessage } from './topic-state.ts'

const options = resolveMatching(DEFAULTS.topics, { sameTopicSimilarity: 0.2, unrelatedSimilarity: 0 })
const topic = (start: number, ...direction: number[]): MatchedTopic => ({
  start,
  title: `topic ${start}`,
  centroid: { direction: Float32Array.from(direction), weight: 1 },
})
const topics = [topic(0, 1, 0), topic(4, 0, 1), topic(8, 0.8, 0.6), topic(12, 0.96, 0.28)]

test('a topic merges with the most similar one, the later into the earlier', () => {
  expect(findTwin(topics, 12, options)).toEqual({ into: 0, from: 12 })
})

test('topics that only share some words stay separate', () => {
  expect(findTwin([topic(0, 1, 0), topic(4, 0.5, 0.866)], 4, options)).toBeUndefined()
})

test('after a merge the conversation continues in the remaining topic', () => {
  const last = {} as ReadMessage
  const speakers = {
    assistantMessages: 0,
    personalMessages: 0,
    userMessages: 0,
    understoodMessages: 0,
    hasSecondUserName: false,
  }
  const settled = { topics, current: 12, recent: (topics[3] as MatchedTopic).centroid, last, speakers }
  const merged = mergeTopics({ settled, newest: last, newestTopic: 12, leading: [] }, { into: 0, from: 12 })
  expect(merged.newestTopic).toBe(0)
  expect(merged.settled?.current).toBe(0)
  expect(merged.settled?.topics.map(({ start }) => start)).toEqual([0, 4, 8])
  expect(merged.settled?.topics[0]?.centroid.weight).toBeCloseTo(1.98, 2)
})
