import { z } from 'zod'
import { RECALL_KINDS, type Receipt, SCOPE_NAMES, SECTIONS, SIGNALS } from '../../index.ts'
import { contextRequest } from '../../schemas/chat.ts'
import { limit, queryOf } from '../../schemas/lists.ts'
import { object } from '../../schemas/values.ts'
import type { WireSchema } from '../../schemas/wire.ts'
import { needConversation, notFound, ok, route, routesOf } from '../route.ts'
import { contextMessage, madeSummary, note, rollingSummary, time } from '../schemas/responses.ts'

const runs = z
  .array(z.tuple([z.int(), z.int()]))
  .meta({ description: 'Positions in the conversation, from and to, inclusive.' })

const itemKind = z.enum([...RECALL_KINDS, 'preference', 'instruction', 'block', 'page'])

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
  .meta({ id: 'ReceiptItem', description: 'One remembered item, and why it was included.' })

const receipt: WireSchema<Receipt> = z
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
  .meta({ id: 'Receipt', description: 'What a context contains, and why.' })

export const contextRoutes = routesOf('Context', [
  route.post('/api/conversations/{conversationId}/context', {
    operation: 'makeContext',
    summary: 'Builds the messages to send to the model, within the budget, and explains them.',
    scope: 'read',
    body: contextRequest,
    answer: ok(
      z.object({
        messages: z.array(contextMessage),
        receipt,
        isReceiptKept: z.boolean(),
        injected: z.object({ prefix: z.string().optional(), inline: z.string().optional() }).meta({
          description: 'What memory added to the messages, for clients that keep their own messages.',
        }),
      }),
      'Messages that every provider accepts, and the receipt.',
    ),
    async handle({ memory, params, body, server }) {
      const started = performance.now()
      const context = await memory.conversation(params.conversationId).context(body)
      server.metrics.contextMade(context.receipt, (performance.now() - started) / 1000)
      const { receiptSaved, ...answer } = context
      return { ...answer, isReceiptKept: await receiptSaved }
    },
  }),
  route.get('/api/conversations/{conversationId}/receipts', {
    operation: 'listReceipts',
    summary: 'Lists the receipts of contexts, newest first.',
    scope: 'read',
    query: queryOf({ limit: limit(500, 20) }),
    answer: ok(z.object({ receipts: z.array(receipt) })),
    async handle({ memory, params, query }) {
      const { handle } = await needConversation(memory, params.conversationId)
      return { receipts: (await handle.receipts.list(query)).items }
    },
  }),
  route.get('/api/conversations/{conversationId}/receipts/{receiptId}', {
    operation: 'getReceipt',
    summary: 'Gets a receipt: what an answer was based on.',
    about:
      "An answer's metadata has the id of its receipt. Only the newest receipts of a conversation are kept.",
    scope: 'read',
    answer: ok(receipt),
    async handle({ memory, params }) {
      const found = await memory.conversation(params.conversationId).receipts.get(params.receiptId)
      if (found !== undefined) return found
      throw notFound(`there is no receipt "${params.receiptId}" in "${params.conversationId}"`)
    },
  }),
  route.post('/api/conversations/{conversationId}/web-search', {
    operation: 'searchWeb',
    summary: 'Searches the web for a question about something recent, and saves notes.',
    about: 'No notes for other questions, or if web search is not configured.',
    scope: 'write',
    body: object('the request', { question: z.string().min(1).max(2000) }).meta({ id: 'WebSearch' }),
    answer: ok(z.object({ notes: z.array(note) })),
    async handle({ memory, params, body }) {
      const { handle } = await needConversation(memory, params.conversationId)
      return { notes: await handle.searchWeb(body.question) }
    },
  }),
])

export const summaryRoutes = routesOf('Summaries', [
  route.post('/api/conversations/{conversationId}/summary', {
    operation: 'summarizeConversation',
    summary: 'Summarizes the whole conversation now.',
    about: 'Written by the language model if one is configured, otherwise extracted from the conversation.',
    scope: 'read',
    body: object('the request', { maxTokens: z.int().min(1).optional() }).meta({ id: 'SummaryRequest' }),
    answer: ok(z.object({ summary: madeSummary })),
    async handle({ memory, params, body }) {
      const { handle } = await needConversation(memory, params.conversationId)
      return { summary: await handle.summary(body) }
    },
  }),
  route.get('/api/conversations/{conversationId}/summary', {
    operation: 'getRollingSummary',
    summary: 'Gets the rolling summary of earlier turns; null while the conversation is short.',
    scope: 'read',
    answer: ok(z.object({ summary: rollingSummary.nullable() })),
    async handle({ memory, params }) {
      const { handle } = await needConversation(memory, params.conversationId)
      return { summary: (await handle.rollingSummary()) ?? null }
    },
  }),
])
