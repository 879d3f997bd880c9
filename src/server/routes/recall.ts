import { z } from 'zod'
import { type Explanation, RECALL_KINDS, type RecallAnswer, SIGNALS } from '../../index.ts'
import { conversationSearch, messageSearch } from '../../schemas/lists.ts'
import { explainRequest, recallRequest } from '../../schemas/recall.ts'
import type { WireSchema } from '../../schemas/wire.ts'
import { ok, pageOf, route, routesOf } from '../route.ts'
import { conversationHit, messageHit, next, time } from '../schemas/responses.ts'

const kind = z.enum(RECALL_KINDS)

const why = z
  .array(z.object({ signal: z.enum(SIGNALS), score: z.number(), text: z.string() }))
  .meta({ description: 'The signals behind its rank with their scores, strongest first.' })

const recalled = z
  .object({
    kind,
    id: z.string(),
    text: z.string().meta({ description: 'The whole text, or the relevant passage of a long one.' }),
    passage: z.object({ start: z.int(), end: z.int(), of: z.int() }).optional(),
    score: z.number().meta({ description: '0 to 1; comparable within one response.' }),
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

const recallAnswer: WireSchema<RecallAnswer> = z
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

const explanation: WireSchema<Explanation> = z
  .object({ answer: recallAnswer, lines: z.array(z.string()) })
  .meta({ id: 'Explanation' })

export const recallRoutes = routesOf('Recall', [
  route.post('/api/recall', {
    operation: 'recall',
    summary: 'Searches the memory for a question, best results first, each with the reasons for its rank.',
    scope: 'read',
    body: recallRequest,
    answer: ok(recallAnswer),
    async handle({ memory, body: { query, ...request }, server }) {
      const started = performance.now()
      const answer = await memory.recall(query, request)
      server.metrics.recalled((performance.now() - started) / 1000)
      return answer
    },
  }),
  route.post('/api/recall/explain', {
    operation: 'explainRecall',
    summary: 'Explains a recall: why items were found, ranked or left out.',
    scope: 'read',
    body: explainRequest,
    answer: ok(explanation),
    handle: ({ memory, body: { query, ...request } }) => memory.explain(query, request),
  }),
])

export const searchRoutes = routesOf('Search', [
  route.get('/api/search/messages', {
    operation: 'searchMessages',
    summary: 'Finds messages that contain all words, newest first.',
    scope: 'read',
    query: messageSearch,
    answer: ok(z.object({ hits: z.array(messageHit), next })),
    handle: async ({ memory, query: { q: text, ...search } }) =>
      pageOf('hits', memory.messages.search(text, search)),
  }),
  route.get('/api/search/conversations', {
    operation: 'searchConversations',
    summary: 'Finds conversations whose title or tags contain all words.',
    scope: 'read',
    query: conversationSearch,
    answer: ok(z.object({ hits: z.array(conversationHit), next })),
    handle: async ({ memory, query: { q: text, ...search } }) =>
      pageOf('hits', memory.conversations.search(text, search)),
  }),
])
