import { z } from 'zod'
import { definedFields } from '../../domain/defined-fields.ts'
import type { Facts } from '../../index.ts'
import { factChanges, newFact } from '../../schemas/knowledge.ts'
import { conversationFactList, factList } from '../../schemas/lists.ts'
import {
  created,
  idFromIdempotencyKey,
  needConversation,
  notFound,
  nothing,
  ok,
  type Route,
  route,
} from '../route.ts'
import { fact, factWithHistory, next } from '../schemas/responses.ts'

const factPage = ok(z.object({ facts: z.array(fact), next }))

const MARKS = {
  pin: 'Pins a fact: it is part of every context.',
  unpin: 'Unpins a fact.',
  reject: 'Rejects a fact: it is no longer current, and saying it again does not bring it back.',
  restore: 'Restores a rejected fact.',
} as const

export const factRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/facts',
    noun: 'Facts',
    operation: 'listFacts',
    summary: 'Lists facts, current or as of a time, in the order in which they were first said.',
    scope: 'read',
    query: factList,
    answer: factPage,
    async handle({ memory, query }) {
      const page = await memory.facts.list(definedFields(query))
      return { facts: page.items, next: page.next ?? null }
    },
  }),
  route({
    method: 'get',
    path: '/api/conversations/{conversationId}/facts',
    noun: 'Facts',
    operation: 'listConversationFacts',
    summary: 'Lists the facts stated in this conversation.',
    scope: 'read',
    query: conversationFactList,
    answer: factPage,
    async handle({ memory, params, query }) {
      const { handle } = await needConversation(memory, params.conversationId)
      const page = await handle.facts.list(definedFields(query))
      return { facts: page.items, next: page.next ?? null }
    },
  }),
  route({
    method: 'post',
    path: '/api/facts',
    noun: 'Facts',
    operation: 'addFact',
    summary: 'Adds a fact. It replaces earlier values; later messages may replace it.',
    scope: 'write',
    supports: ['idempotency-key'],
    body: newFact,
    answer: created(factWithHistory),
    handle: async ({ memory, body: { attribute, value, ...more }, idempotencyKey }) =>
      memory.facts.add({
        attribute,
        value,
        ...definedFields({ id: idFromIdempotencyKey(idempotencyKey, 'fact') }),
        ...definedFields(more),
      }),
  }),
  route({
    method: 'get',
    path: '/api/facts/{factId}',
    noun: 'Facts',
    operation: 'getFact',
    summary: 'Gets a fact with its history, closed and rejected ones too.',
    scope: 'read',
    answer: ok(factWithHistory),
    handle: async ({ memory, params }) => needFact(memory.facts, params.factId),
  }),
  route({
    method: 'patch',
    path: '/api/facts/{factId}',
    noun: 'Facts',
    operation: 'changeFact',
    summary: 'Updates a fact; its history keeps the earlier value.',
    scope: 'write',
    body: factChanges,
    answer: ok(factWithHistory),
    handle: async ({ memory, params, body }) => memory.facts.update(params.factId, definedFields(body)),
  }),
  ...(Object.keys(MARKS) as (keyof typeof MARKS)[]).map((mark) =>
    route({
      method: 'post',
      path: `/api/facts/{factId}/${mark}` as '/api/facts/{factId}/mark',
      noun: 'Facts',
      operation: `${mark}Fact`,
      summary: MARKS[mark],
      scope: 'write',
      answer: ok(factWithHistory),
      handle: async ({ memory, params }) => memory.facts[mark === 'reject' ? 'delete' : mark](params.factId),
    }),
  ),
  route({
    method: 'delete',
    path: '/api/facts/{factId}/edits/{editId}',
    noun: 'Facts',
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
]

async function needFact(facts: Facts, factId: string) {
  const found = await facts.get(factId)
  if (found !== undefined) return found
  throw notFound(
    `there is no fact "${factId}"`,
    'GET /api/facts lists them; includeClosed and includeRejected show all',
  )
}
