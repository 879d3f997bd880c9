import { z } from 'zod'
import { definedFields } from '../../domain/defined-fields.ts'
import { contextRequest } from '../../schemas/context.ts'
import { limit, queryOf } from '../../schemas/lists.ts'
import { object } from '../../schemas/values.ts'
import { needConversation, notFound } from '../need.ts'
import { ok, type Route, route } from '../route.ts'
import { note } from '../schemas/knowledge.ts'
import { contextMessage } from '../schemas/message.ts'
import { receipt } from '../schemas/receipt.ts'

export const contextRoutes: readonly Route[] = [
  route({
    method: 'post',
    path: '/api/conversations/{conversationId}/context',
    noun: 'Context',
    operation: 'makeContext',
    summary: 'What to hand to the model next, within the budget, and why.',
    scope: 'read',
    body: contextRequest,
    answer: ok(
      z.object({
        messages: z.array(contextMessage),
        receipt,
        isReceiptKept: z.boolean(),
        injected: z.object({ prefix: z.string().optional(), inline: z.string().optional() }).meta({
          description: 'What memory put into the messages, for those who keep messages of their own.',
        }),
      }),
      'Messages that every provider takes, and the receipt.',
    ),
    async handle({ memory, params, body, server }) {
      const started = performance.now()
      const context = await memory.conversation(params.conversationId).context(definedFields(body))
      server.metrics.contextMade(context.receipt, (performance.now() - started) / 1000)
      const { receiptSaved, ...answer } = context
      return { ...answer, isReceiptKept: await receiptSaved }
    },
  }),
  route({
    method: 'get',
    path: '/api/conversations/{conversationId}/receipts',
    noun: 'Context',
    operation: 'listReceipts',
    summary: 'Receipts of the contexts made, newest first.',
    scope: 'read',
    query: queryOf({ limit: limit(500, 20) }),
    answer: ok(z.object({ receipts: z.array(receipt) })),
    async handle({ memory, params, query }) {
      const { handle } = await needConversation(memory, params.conversationId)
      return { receipts: (await handle.receipts.list(definedFields(query))).items }
    },
  }),
  route({
    method: 'get',
    path: '/api/conversations/{conversationId}/receipts/{receiptId}',
    noun: 'Context',
    operation: 'getReceipt',
    summary: 'One receipt: why an answer is what it is.',
    about: 'The metadata of an answer names its receipt. Only the newest of a conversation are kept.',
    scope: 'read',
    answer: ok(receipt),
    async handle({ memory, params }) {
      const found = await memory.conversation(params.conversationId).receipts.get(params.receiptId)
      if (found !== undefined) return found
      throw notFound(`"${params.conversationId}" has no receipt "${params.receiptId}"`)
    },
  }),
  route({
    method: 'post',
    path: '/api/conversations/{conversationId}/web-search',
    noun: 'Context',
    operation: 'searchWeb',
    summary: 'Notes from the web for a question that asks for something recent.',
    about: 'None for any other question, or where no web search was switched on.',
    scope: 'write',
    body: object('the request', { question: z.string().min(1).max(2000) }).meta({ id: 'WebSearch' }),
    answer: ok(z.object({ notes: z.array(note) })),
    async handle({ memory, params, body }) {
      const { handle } = await needConversation(memory, params.conversationId)
      return { notes: await handle.searchWeb(body.question) }
    },
  }),
]
