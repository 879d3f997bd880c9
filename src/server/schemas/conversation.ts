import { z } from 'zod'
import type { Conversation, ConversationHit, MessageHit } from '../../index.ts'
import type { WireSchema } from '../../schemas/wire.ts'
import { jsonObject, time } from './values.ts'

export const conversation: WireSchema<Conversation> = z
  .object({
    id: z.string(),
    title: z.string().optional(),
    isTitleGiven: z.boolean(),
    tags: z.array(z.string()),
    isPinned: z.boolean(),
    archivedAt: time.optional(),
    isMemoryOn: z.boolean(),
    documents: z.array(z.string()),
    metadata: jsonObject,
    forkedFrom: z.object({ conversationId: z.string(), messageId: z.string(), position: z.int() }).optional(),
    messageCount: z.int(),
    tokenCount: z.int(),
    createdAt: time,
    lastUsedAt: time,
  })
  .meta({ id: 'Conversation' })

const snippet = z
  .object({ text: z.string(), highlights: z.array(z.tuple([z.int(), z.int()])) })
  .meta({ id: 'Snippet', description: 'A stretch of text, and from where to where the hits in it are.' })

export const conversationHit: WireSchema<ConversationHit> = z.object({ conversation, snippet })

export const messageHit: WireSchema<MessageHit> = z.object({
  conversationId: z.string(),
  messageId: z.string(),
  position: z.int(),
  createdAt: time,
  snippet,
})
