import { z } from 'zod'
import { definedFields } from '../../domain/defined-fields.ts'
import type { Facts } from '../../index.ts'
import { factChanges, newFact } from '../../schemas/knowledge.ts'
import { conversationFactList, factList } from '../../schemas/lists.ts'
import { madeId } from '../made-id.ts'
import { needConversation, notFound } from '../need.ts'
import { created, nothing, ok, type Route, route } from '../route.ts'
import { fact, factWithHistory } from '../schemas/knowledge.ts'
import { next } from '../schemas/values.ts'

const factPage = ok(z.object({ facts: z.array(fact), next }))

const MARKS = {
  pin: 'Keeps a fact in front.',
  unpin: 'Takes the pin away.',
  reject: 'The fact holds no longer, and does not come back by being said again.',
  restore: 'Lets a rejected fact hold again.',
} as const

export const factRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/facts',
    noun: 'Facts',
    operation: 'listFacts',
    summary: 'What is known, now or as of a moment, in the order in which it was first said.',
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
    summary: 'Facts that something in this conversation says.',
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
    summary: 'Adds a fact. It wins over what was said before; later words may close it.',
    scope: 'write',
    isRepeatable: true,
    body: newFact,
    answer: created(factWithHistory),
    handle: async ({ memory, body: { attribute, value, ...more }, idempotencyKey }) =>
      memory.facts.add({
        attribute,
        value,
        ...definedFields({ id: madeId(idempotencyKey, 'fact') }),
        ...definedFields(more),
      }),
  }),
  route({
    method: 'get',
    path: '/api/facts/{factId}',
    noun: 'Facts',
    operation: 'getFact',
    summary: 'A fact with its history; closed and rejected ones, too.',
    scope: 'read',
    answer: ok(factWithHistory),
    handle: async ({ memory, params }) => needFact(memory.facts, params.factId),
  }),
  route({
    method: 'patch',
    path: '/api/facts/{factId}',
    noun: 'Facts',
    operation: 'changeFact',
    summary: 'Changes a fact; its history keeps what it said before.',
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
    summary: 'Takes an edit back as if it had never been made; the history of the fact has the ids.',
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
