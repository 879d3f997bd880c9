import { z } from 'zod'
import type { ContextMessage, Message } from '../../index.ts'
import { content } from '../../schemas/message.ts'
import type { WireSchema } from '../../schemas/wire.ts'
import { jsonObject, time } from './values.ts'

const role = z.enum(['system', 'user', 'assistant', 'tool'])

/** A recorded message with the id of its topic. */
export type MessageWithTopic = Message & { readonly topicId: string | null }

export const message: WireSchema<MessageWithTopic> = z
  .object({
    id: z.string(),
    conversationId: z.string(),
    position: z.int(),
    role,
    content,
    name: z.string().optional(),
    createdAt: time,
    recordedAt: time,
    importance: z.number().optional(),
    metadata: jsonObject.optional(),
    tokens: z.int(),
    tokenizer: z.string(),
    tokensBefore: z.int(),
    topicId: z
      .string()
      .nullable()
      .meta({ description: 'The id of the message that began its topic; null while it was not read.' }),
    appendKey: z.string().optional(),
    copyOf: z.string().optional(),
    erasedAt: time.optional(),
    isDamaged: z.literal(true).optional(),
  })
  .meta({ id: 'Message' })

export const contextMessage: WireSchema<ContextMessage> = z
  .object({ role, content, name: z.string().optional() })
  .meta({ id: 'ContextMessage' })
