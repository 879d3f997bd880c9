import { z } from 'zod'
import type { Receipt } from '../../index.ts'
import type { Wire } from '../wire.ts'
import { time } from './values.ts'

const runs = z
  .array(z.tuple([z.int(), z.int()]))
  .meta({ description: 'Positions in the record, from and to, both included.' })

export const receipt: z.ZodType<Wire<Receipt>> = z
  .object({
    id: z.string(),
    conversationId: z.string(),
    createdAt: time,
    messageCount: z.int(),
    budgetTokens: z.int(),
    tokens: z.int(),
    tokenizer: z.string(),
    parts: z.array(
      z.object({
        section: z.enum(['tools', 'system', 'tail', 'live']),
        tokens: z.int(),
        reason: z.string(),
        runs,
        messageIds: z.array(z.string()),
      }),
    ),
    omitted: z.array(z.object({ tokens: z.int(), reason: z.string(), runs })),
    repairs: z.array(z.object({ messageId: z.string().optional(), repair: z.string() })),
    sharedPrefix: z.object({
      messages: z.int(),
      tokens: z.int(),
      brokenBecause: z.string().optional(),
    }),
  })
  .meta({ id: 'Receipt', description: 'Why a context is what it is.' })
