import { z } from 'zod'
import { definedFields } from '../../domain/defined-fields.ts'
import { object } from '../../schemas/values.ts'
import { needConversation } from '../need.ts'
import { ok, type Route, route } from '../route.ts'
import { madeSummary, rollingSummary } from '../schemas/summary.ts'

export const summaryRoutes: readonly Route[] = [
  route({
    method: 'post',
    path: '/api/conversations/{conversationId}/summary',
    noun: 'Summaries',
    operation: 'summarizeConversation',
    summary: 'What was said in the whole conversation, made now.',
    about: 'By the language model where there is one, else in the conversation’s own sentences.',
    scope: 'read',
    body: object('the request', { maxTokens: z.int().min(1).optional() }).meta({ id: 'SummaryRequest' }),
    answer: ok(z.object({ summary: madeSummary })),
    async handle({ memory, params, body }) {
      const { handle } = await needConversation(memory, params.conversationId)
      return { summary: await handle.summary(definedFields(body)) }
    },
  }),
  route({
    method: 'get',
    path: '/api/conversations/{conversationId}/summary',
    noun: 'Summaries',
    operation: 'getRollingSummary',
    summary: 'What the earlier turns were condensed to; null while the conversation is short.',
    scope: 'read',
    answer: ok(z.object({ summary: rollingSummary.nullable() })),
    async handle({ memory, params }) {
      const { handle } = await needConversation(memory, params.conversationId)
      return { summary: (await handle.rollingSummary()) ?? null }
    },
  }),
]
