import { z } from 'zod'
import { definedFields } from '../../domain/defined-fields.ts'
import { RECALL_KINDS } from '../../index.ts'
import { ok, type Route, route } from '../route.ts'
import { explanation, recallAnswer } from '../schemas/recall.ts'
import { givenTime, id } from '../schemas/values.ts'

const ids = z.array(id).max(1000).optional()

/** The fields of a recall over HTTP. */
const recallFields = {
  query: z.string().min(1).max(10_000).meta({ description: 'What is asked, in plain words.' }),
  conversationId: id.optional().meta({ description: 'Only this one; without it, the whole workspace.' }),
  conversationIds: ids,
  currentConversationId: id.optional().meta({ description: 'Where it is asked: what it leans on.' }),
  topicIds: ids,
  kinds: z.array(z.enum(RECALL_KINDS)).min(1).optional(),
  limit: z.int().min(1).max(1000).optional(),
  budgetTokens: z.int().min(1).optional().meta({ description: 'The most tokens of all texts together.' }),
  from: givenTime.optional(),
  to: givenTime.optional(),
  asOf: givenTime.optional(),
  activeFile: id.optional().meta({ description: 'The document whose pieces come first.' }),
  excludeMessageIds: z
    .array(z.string())
    .max(10_000)
    .optional()
    .meta({ description: 'Messages not to be recalled.' }),
}

export const recallRoutes: readonly Route[] = [
  route({
    method: 'post',
    path: '/api/recall',
    noun: 'Recall',
    operation: 'recall',
    summary: 'What is known about a question, best first, each with the reasons for its place.',
    scope: 'read',
    body: z.strictObject(recallFields).meta({ id: 'RecallRequest' }),
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
    body: z
      .strictObject({ ...recallFields, messageId: id.optional() })
      .meta({ id: 'ExplainRequest', description: 'With messageId: what became of that message.' }),
    answer: ok(explanation),
    handle: ({ memory, body: { query, ...request } }) => memory.explain(query, definedFields(request)),
  }),
]
