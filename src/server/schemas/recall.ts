import { z } from 'zod'
import { type Explanation, RECALL_KINDS, type RecallAnswer, SIGNALS } from '../../index.ts'
import type { WireSchema } from '../../schemas/wire.ts'
import { time } from './values.ts'

const kind = z.enum(RECALL_KINDS)

const why = z
  .array(z.object({ signal: z.enum(SIGNALS), score: z.number(), text: z.string() }))
  .meta({ description: 'What lifted it to its place, strongest first, and by how much.' })

const recalled = z
  .object({
    kind,
    id: z.string(),
    text: z.string().meta({ description: 'The whole of it, or the passage of a long one that matters.' }),
    passage: z.object({ start: z.int(), end: z.int(), of: z.int() }).optional(),
    score: z.number().meta({ description: '0 to 1; comparable within one answer.' }),
    why,
    messageIds: z.array(z.string()),
    conversationId: z.string().optional(),
    position: z.int().optional(),
    topicId: z.string().optional(),
    createdAt: time,
    role: z.enum(['system', 'user', 'assistant', 'tool']).optional(),
    source: z.string().optional(),
    tokens: z.int(),
  })
  .meta({ id: 'Recalled' })

export const recallAnswer: WireSchema<RecallAnswer> = z
  .object({
    question: z.object({
      asked: z.string(),
      standalone: z.string().optional(),
      rewrittenBecause: z.string().optional(),
    }),
    words: z.array(z.object({ word: z.string(), messages: z.int(), weight: z.number() })),
    items: z.array(recalled),
    leftOut: z.array(
      z.object({
        kind,
        id: z.string(),
        score: z.number(),
        reason: z.enum([
          'below the threshold',
          'nearly the same as another',
          'over the limit',
          'over the budget',
          'already in the context',
        ]),
        why,
      }),
    ),
    notices: z.array(z.string()),
  })
  .meta({ id: 'RecallAnswer' })

export const explanation: WireSchema<Explanation> = z
  .object({ answer: recallAnswer, lines: z.array(z.string()) })
  .meta({ id: 'Explanation' })
