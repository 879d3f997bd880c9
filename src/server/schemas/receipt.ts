import { z } from 'zod'
import { RECALL_KINDS, type Receipt, SCOPE_NAMES, SECTIONS, SIGNALS } from '../../index.ts'
import type { WireSchema } from '../../schemas/wire.ts'
import { time } from './values.ts'

const runs = z
  .array(z.tuple([z.int(), z.int()]))
  .meta({ description: 'Positions in the record, from and to, both included.' })

const itemKind = z.enum([...RECALL_KINDS, 'preference', 'instruction'])

const item = z
  .object({
    kind: itemKind,
    id: z.string(),
    score: z.number().optional(),
    reasons: z.array(
      z.object({ signal: z.enum(SIGNALS).optional(), score: z.number().optional(), text: z.string() }),
    ),
    tokens: z.int(),
    isCut: z.literal(true).optional(),
    messageIds: z.array(z.string()),
    conversationId: z.string().optional(),
  })
  .meta({ id: 'ReceiptItem', description: 'One thing that was remembered, and why.' })

export const receipt: WireSchema<Receipt> = z
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
        section: z.enum(SECTIONS),
        tokens: z.int(),
        budgetTokens: z.int().optional(),
        reason: z.string(),
        runs,
        messageIds: z.array(z.string()),
        items: z.array(item).optional(),
      }),
    ),
    omitted: z.array(
      z.object({
        tokens: z.int(),
        reason: z.string(),
        runs,
        coverage: z.enum(['summary', 'recall']).optional(),
        replacedBy: z.array(z.enum(SECTIONS)).optional(),
        item: z.object({ kind: itemKind, id: z.string(), score: z.number().optional() }).optional(),
      }),
    ),
    repairs: z.array(z.object({ messageId: z.string().optional(), repair: z.string() })),
    sharedPrefix: z.object({
      messages: z.int(),
      tokens: z.int(),
      previousId: z.string().optional(),
      brokenAt: z.enum(SECTIONS).optional(),
      brokenBecause: z.string().optional(),
    }),
    scope: z
      .object({
        used: z.enum([...SCOPE_NAMES, 'conversations']),
        setBy: z.enum(['call', 'conversation', 'workspace', 'default']),
        beyond: z.enum(SCOPE_NAMES).optional(),
      })
      .optional(),
  })
  .meta({ id: 'Receipt', description: 'Why a context is what it is.' })
