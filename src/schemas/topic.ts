import { z } from 'zod'
import { type Input, list, name, object } from './values.ts'

export const topicChanges = object('the changes to a topic', {
  title: name('titleCharacters').nullable().optional(),
  tags: list(name()).optional(),
  /** 0 to 1. */
  importance: z.number().min(0).max(1).nullable().optional(),
  isPinned: z.boolean().optional(),
}).meta({
  id: 'TopicChanges',
  title: 'the changes to a topic',
  description: '`null` goes back to the value that was worked out.',
})

/** What a person may change about a topic. `null` goes back to the value that was worked out. */
export type TopicChanges = Input<typeof topicChanges>
