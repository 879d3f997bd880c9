import { z } from 'zod'
import {
  ENTITY_TYPES,
  type Fact,
  type FactWithHistory,
  type Importance,
  type Note,
  type WorkspaceEntity,
} from '../../index.ts'
import type { WireSchema } from '../../schemas/wire.ts'
import { time } from './responses.ts'

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
