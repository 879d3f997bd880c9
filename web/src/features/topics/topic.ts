import type { UsedTopics } from 'recollect/react'

export type Topic = NonNullable<UsedTopics['topics']>[number]

/** As many colours as can be told apart. */
const COLOURS = 8

/** A topic keeps its colour: it goes by the order in which topics began. */
export function colourOf(topic: Topic, topics: readonly Topic[]): string {
  const begun = topics.filter(({ createdAt, id }) => createdAt + id < topic.createdAt + topic.id).length
  return `curve-${begun % COLOURS}`
}

export const isArchived = ({ state }: Topic): boolean => state === 'archived'
