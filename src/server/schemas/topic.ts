import { z } from 'zod'
import type { Topic, TopicCurve } from '../../index.ts'
import type { WireSchema } from '../../schemas/wire.ts'
import { time } from './values.ts'

export const topic: WireSchema<Topic> = z
  .object({
    id: z.string().meta({ description: 'The id of the message that began it.' }),
    conversationId: z.string(),
    title: z.string(),
    tags: z.array(z.string()),
    state: z.enum(['current', 'live', 'archived']),
    isPinned: z.boolean(),
    importance: z.number(),
    priority: z.number(),
    halfLifeDays: z.number(),
    memoryType: z.enum(['short-term', 'transitioning', 'long-term']),
    accessCount: z.int(),
    totalMessages: z.int(),
    activeMessages: z.int(),
    compressedMessages: z.int(),
    messageIds: z.array(z.string()),
    createdAt: time,
    lastUsedAt: time,
    ageMs: z.number(),
    idleMs: z.number(),
  })
  .meta({ id: 'Topic' })

export const topicCurve: WireSchema<TopicCurve> = z
  .object({ topicId: z.string(), points: z.array(z.object({ at: time, priority: z.number() })) })
  .meta({ id: 'TopicCurve' })
