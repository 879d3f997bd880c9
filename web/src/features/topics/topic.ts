import type { UsedTopics } from 'recollect/react'

export type Topic = NonNullable<UsedTopics['topics']>[number]

/** The number of distinguishable colours. */
const COLOURS = 8

/** Colours follow the order in which topics started, so that a topic keeps its colour. */
export function colourOf(topic: Topic, topics: readonly Topic[]): string {
  const startedBefore = topics.filter(
    ({ createdAt, id }) => createdAt + id < topic.createdAt + topic.id,
  ).length
  return `curve-${startedBefore % COLOURS}`
}

export const isArchived = ({ state }: Topic): boolean => state === 'archived'
