// Values shared by many schemas. Constraints that the memory checks itself (lengths, times, depth) are only
// described here: its error messages are better, and an application may have set other limits.

import { z } from 'zod'
import {
  type ContextMessage,
  type Conversation,
  type ConversationHit,
  ENTITY_TYPES,
  type Fact,
  type FactWithHistory,
  type Importance,
  type JsonObject,
  type JsonValue,
  type MadeSummary,
  type Message,
  type MessageHit,
  type Note,
  type RollingSummary,
  type Summary,
  type WorkspaceEntity,
} from '../../index.ts'
import { content } from '../../schemas/message.ts'
import type { WireSchema } from '../../schemas/wire.ts'

/** Any JSON value. Not validated here: the memory does that, up to its depth limit. */
export const jsonValue: z.ZodType<JsonValue, JsonValue> = z.unknown() as unknown as z.ZodType<
  JsonValue,
  JsonValue
>

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const jsonObject: z.ZodType<JsonObject> = z
  .unknown()
  .refine(isObject, 'expected an object')
  .meta({ described: { schema: { type: 'object' } } }) as unknown as z.ZodType<JsonObject>

/** A timestamp in a response. */
export const time: z.ZodType<string> = z.string().meta({ format: 'date-time' })

export const id: z.ZodType<string, string> = z.string().min(1)

/** The cursor of the next page; null at the end of a list. */
export const next: z.ZodType<string | null> = z
  .string()
  .nullable()
  .meta({ description: 'The cursor of the next page; null at the end.' })

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
  .meta({ id: 'Snippet', description: 'An excerpt, and the start and end of each hit in it.' })

export const conversationHit: WireSchema<ConversationHit> = z.object({ conversation, snippet })

export const messageHit: WireSchema<MessageHit> = z.object({
  conversationId: z.string(),
  messageId: z.string(),
  position: z.int(),
  createdAt: time,
  snippet,
})

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
      .meta({ description: 'The id of the first message of its topic; null until topics are derived.' }),
    appendKey: z.string().optional(),
    copyOf: z.string().optional(),
    erasedAt: time.optional(),
    isDamaged: z.literal(true).optional(),
  })
  .meta({ id: 'Message' })

export const contextMessage: WireSchema<ContextMessage> = z
  .object({ role, content, name: z.string().optional() })
  .meta({ id: 'ContextMessage' })

const words = {
  text: z.string(),
  keyTopics: z.array(z.string()),
  messageIds: z.array(z.string()),
  tokens: z.int(),
}

const sentences = z.array(z.object({ text: z.string(), messageId: z.string(), weight: z.number() }))

export const summary: WireSchema<Summary> = z.object({ ...words, sentences }).meta({ id: 'Summary' })

export const madeSummary: WireSchema<MadeSummary> = z
  .object({
    ...words,
    sentences,
    madeBy: z.string(),
    fallback: z
      .string()
      .optional()
      .meta({ description: 'Why it was not written by the configured language model.' }),
  })
  .meta({ id: 'MadeSummary' })

export const rollingSummary: WireSchema<RollingSummary> = z
  .object({
    ...words,
    through: z.int().meta({ description: 'Number of messages it covers, from the first one.' }),
    madeBy: z.string(),
    madeAt: time,
  })
  .meta({ id: 'RollingSummary' })

const kind = z.enum(['fact', 'preference', 'instruction', 'statement'])

const statement = {
  subject: z.string(),
  attribute: z.string(),
  value: z.string(),
  kind,
  validFrom: time,
  validUntil: time.optional(),
}

const factFields = {
  id: z.string(),
  key: z.string(),
  ...statement,
  confidence: z.number(),
  origin: z.enum(['said', 'given']),
  sources: z.array(z.string()),
  conversationIds: z.array(z.string()),
  saidAt: time,
  rejectedAt: time.optional(),
  pinnedAt: time.optional(),
}

export const fact: WireSchema<Fact> = z.object(factFields).meta({ id: 'Fact' })

const event = z.object({
  type: z.enum([
    'stated',
    'confirmed',
    'repeated',
    'ended',
    'superseded',
    'corrected',
    'added',
    'changed',
    'pinned',
    'unpinned',
    'rejected',
    'restored',
  ]),
  at: time,
  messageId: z.string().optional(),
  editId: z.int().optional(),
  by: z.string().optional(),
  madeBy: z.string().optional(),
  before: z.object(statement).optional(),
})

export const factWithHistory: WireSchema<FactWithHistory> = z
  .object({ ...factFields, history: z.array(event) })
  .meta({ id: 'FactWithHistory' })

export const entity: WireSchema<WorkspaceEntity> = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.enum(ENTITY_TYPES),
    aliases: z.array(z.string()),
    mentions: z.int(),
    told: z.partialRecord(z.enum(ENTITY_TYPES), z.int()),
    firstMessageId: z.string(),
    lastMessageId: z.string(),
    firstAt: time.optional(),
    lastAt: time.optional(),
    conversationIds: z.array(z.string()),
  })
  .meta({ id: 'Entity' })

export const note: WireSchema<Note> = z
  .object({
    id: z.string(),
    text: z.string(),
    source: z.object({
      tool: z.string().optional(),
      url: z.string().optional(),
      title: z.string().optional(),
    }),
    createdAt: time,
    expiresAt: time.optional(),
    conversationId: z.string().optional(),
    messageIds: z.array(z.string()),
  })
  .meta({ id: 'Note' })

export const importance: WireSchema<Importance> = z
  .object({
    importance: z.number(),
    given: z.number(),
    helpful: z.int(),
    unhelpful: z.int(),
    learned: z.number(),
    verdict: z.enum(['helpful', 'not-helpful']).optional().meta({ description: 'The most recent one.' }),
  })
  .meta({ id: 'Importance' })
