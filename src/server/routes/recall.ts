import { definedFields } from '../../domain/defined-fields.ts'
import { explainRequest, recallRequest } from '../../schemas/recall.ts'
import { ok, type Route, route } from '../route.ts'
import { explanation, recallAnswer } from '../schemas/recall.ts'

export const recallRoutes: readonly Route[] = [
  route({
    method: 'post',
    path: '/api/recall',
    noun: 'Recall',
    operation: 'recall',
    summary: 'What is known about a question, best first, each with the reasons for its place.',
    scope: 'read',
    body: recallRequest,
    answer: ok(recallAnswer),
    async handle({ memory, body: { query, ...request }, server }) {
      const started = performance.now()
      const answer = await memory.recall(query, definedFields(request))
      server.metrics.recalled((performance.now() - started) / 1000)
      return answer
    },
  }),
  route({
    method: 'post',
    path: '/api/recall/explain',
    noun: 'Recall',
    operation: 'explainRecall',
    summary: 'Why this came up and that did not, in sentences.',
    scope: 'read',
    body: explainRequest,
    answer: ok(explanation),
    handle: ({ memory, body: { query, ...request } }) => memory.explain(query, definedFields(request)),
  }),
]
