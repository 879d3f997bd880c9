import { z } from 'zod'
import type { Facts } from '../../index.ts'
import { factChanges, newFact } from '../../schemas/knowledge.ts'
import { conversationFactList, factList } from '../../schemas/lists.ts'
import {
  created,
  idFromKey,
  needConversation,
  notFound,
  nothing,
  ok,
  pageOf,
  route,
  routesOf,
} from '../route.ts'
import { fact, factWithHistory, next } from '../schemas/responses.ts'

const factPage = ok(z.object({ facts: z.array(fact), next }))

const MARKS = {
  pin: 'Pins a fact: it is part of every context.',
  unpin: 'Unpins a fact.',
  reject: 'Rejects a fact: it is no longer current, and saying it again does not bring it back.',
  restore: 'Restores a rejected fact.',
} as const

export const factRoutes = routesOf('Facts', [
  route.get('/api/facts', {
    operation: 'listFacts',
    summary: 'Lists facts, current or as of a time, in the order in which they were first said.',
    scope: 'read',
    query: factList,
    answer: factPage,
    handle: async ({ memory, query }) => pageOf('facts', memory.facts.list(query)),
  }),
  route.get('/api/conversations/{conversationId}/facts', {
    operation: 'listConversationFacts',
    summary: 'Lists the facts stated in this conversation.',
    scope: 'read',
    query: conversationFactList,
    answer: factPage,
    async handle({ memory, params, query }) {
      const { handle } = await needConversation(memory, params.conversationId)
      return pageOf('facts', handle.facts.list(query))
    },
  }),
  route.post('/api/facts', {
    operation: 'addFact',
    summary: 'Adds a fact. It replaces earlier values; later messages may replace it.',
    scope: 'write',
    supports: ['idempotency-key'],
    body: newFact,
    answer: created(factWithHistory),
    handle: async ({ memory, body, idempotencyKey }) =>
      memory.facts.add({ ...idFromKey(idempotencyKey, 'fact'), ...body }),
  }),
  route.get('/api/facts/{factId}', {
    operation: 'getFact',
    summary: 'Gets a fact with its history, closed and rejected ones too.',
    scope: 'read',
    answer: ok(factWithHistory),
    handle: async ({ memory, params }) => needFact(memory.facts, params.factId),
  }),
  route.patch('/api/facts/{factId}', {
    operation: 'changeFact',
    summary: 'Updates a fact; its history keeps the earlier value.',
    scope: 'write',
    body: factChanges,
    answer: ok(factWithHistory),
    handle: async ({ memory, params, body }) => memory.facts.update(params.factId, body),
  }),
  ...(Object.keys(MARKS) as (keyof typeof MARKS)[]).map((mark) =>
    route.post(`/api/facts/{factId}/${mark}` as '/api/facts/{factId}/mark', {
      operation: `${mark}Fact`,
      summary: MARKS[mark],
      scope: 'write',
      answer: ok(factWithHistory),
      handle: async ({ memory, params }) => memory.facts[mark === 'reject' ? 'delete' : mark](params.factId),
    }),
  ),
  route.delete('/api/facts/{factId}/edits/{editId}', {
    operation: 'undoFactEdit',
    summary: 'Undoes an edit as if it had never been made; the history of the fact has the edit ids.',
    scope: 'write',
    answer: nothing,
    async handle({ memory, params }) {
      const { history } = await needFact(memory.facts, params.factId)
      const edit = history.find(({ editId }) => editId !== undefined && String(editId) === params.editId)
      if (edit?.editId === undefined) throw notFound(`the fact has no edit ${params.editId}`)
      await memory.facts.undo(edit.editId)
      return undefined
    },
  }),
])

async function needFact(facts: Facts, factId: string) {
  const found = await facts.get(factId)
  if (found !== undefined) return found
  throw notFound(
    `there is no fact "${factId}"`,
    'GET /api/facts lists them; includeClosed and includeRejected show all',
  )
}
