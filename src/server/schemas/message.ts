import { z } from 'zod'
import {
  type Content,
  type ContextMessage,
  type Message,
  type Part,
  withCurrentPartNames,
} from '../../index.ts'
import type { Wire } from '../wire.ts'
import { id, jsonObject, jsonValue, time } from './values.ts'

const role = z.enum(['system', 'user', 'assistant', 'tool'])

const count = z.number().min(0).optional()

/** Parts may have additional fields of the application; they are kept. */
const part: z.ZodType<Wire<Part>> = z
  .discriminatedUnion('type', [
    z.looseObject({ type: z.literal('text'), text: z.string() }),
    z.looseObject({ type: z.literal('reasoning'), text: z.string() }),
    z.looseObject({
      type: z.literal('image'),
      url: id,
      mediaType: id.optional(),
      detail: z.enum(['low', 'high']).optional(),
      width: count,
      height: count,
      tokens: count,
    }),
    z.looseObject({
      type: z.literal('file'),
      url: id,
      name: id.optional(),
      mediaType: id.optional(),
      tokens: count,
    }),
    z.looseObject({ type: z.literal('tool-call'), toolCallId: id, toolName: id, input: jsonValue }),
    z.looseObject({
      type: z.literal('tool-result'),
      toolCallId: id,
      toolName: id.optional(),
      output: jsonValue,
      isError: z.boolean().optional(),
    }),
  ])
  .meta({ id: 'Part' })

export const content: z.ZodType<Wire<Content>> = z
  .preprocess(withCurrentPartNames, z.union([z.string(), z.array(part)]))
  .meta({
    id: 'Content',
    description: 'Text, or parts: text, images, files, calls of tools and their results.',
  })

/** A recorded message with the id of its topic. */
export type MessageWithTopic = Message & { readonly topicId: string | null }

export const message: z.ZodType<Wire<MessageWithTopic>> = z
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

export const contextMessage: z.ZodType<Wire<ContextMessage>> = z
  .object({ role, content, name: z.string().optional() })
  .meta({ id: 'ContextMessage' })
