import { z } from 'zod'
import { definedFields } from '../../domain/defined-fields.ts'
import { cursor, limit, queryList, queryOf } from '../../schemas/lists.ts'
import { newQuery, pageChanges } from '../../schemas/page.ts'
import { object } from '../../schemas/values.ts'
import { madeId } from '../made-id.ts'
import { created, ok, type Route, route } from '../route.ts'
import { page, query as queryEntry } from '../schemas/page.ts'
import { erased } from '../schemas/upkeep.ts'
import { next } from '../schemas/values.ts'

export const pageRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/context',
    noun: 'Pages',
    operation: 'listPages',
    summary: 'Pages by last use, newest first.',
    scope: 'read',
    query: queryOf({ limit: limit(1000, 50), cursor }),
    answer: ok(z.object({ pages: z.array(page), next })),
    async handle({ memory, query }) {
      const list = await memory.pages.list(definedFields(query))
      return { pages: list.items, next: list.next ?? null }
    },
  }),
  route({
    method: 'get',
    path: '/api/context/{pageId}',
    noun: 'Pages',
    operation: 'loadPage',
    summary: 'The state of a page; made if it is missing.',
    scope: 'read',
    hasEtag: true,
    answer: ok(z.object({ context: page })),
    async handle({ memory, params }) {
      return { context: await memory.page(params.pageId).load() }
    },
  }),
  route({
    method: 'post',
    path: '/api/context/{pageId}',
    noun: 'Pages',
    operation: 'savePage',
    summary: 'Changes the state of a page: what is left out stays, null clears.',
    scope: 'write',
    body: pageChanges,
    answer: ok(z.object({ success: z.literal(true), context: page })),
    async handle({ memory, params, body }) {
      return { success: true as const, context: await memory.page(params.pageId).save(definedFields(body)) }
    },
  }),
  route({
    method: 'delete',
    path: '/api/context/{pageId}',
    noun: 'Pages',
    operation: 'erasePage',
    summary: 'Erases the state of a page and its queries, for good; a conversation of the same id stays.',
    scope: 'write',
    answer: ok(z.object({ erased })),
    async handle({ memory, params }) {
      return { erased: await memory.page(params.pageId).erase() }
    },
  }),
  route({
    method: 'get',
    path: '/api/context/{pageId}/history',
    noun: 'Pages',
    operation: 'listQueries',
    summary: 'The last queries of a page in order; with a question, those that belong to it.',
    about: 'With `question`: the first, the last, the flagged, and the relevant ones in between.',
    scope: 'read',
    query: queryList,
    answer: ok(z.object({ queries: z.array(queryEntry) })),
    async handle({ memory, params, query: { question, ...page } }) {
      const options = { ...definedFields(page), ...definedFields({ query: question }) }
      return { queries: (await memory.page(params.pageId).queries.list(options)).items }
    },
  }),
  route({
    method: 'post',
    path: '/api/context/{pageId}/history',
    noun: 'Pages',
    operation: 'addQuery',
    summary: 'Adds a query to the history of a page.',
    scope: 'write',
    isRepeatable: true,
    body: newQuery,
    answer: created(queryEntry),
    handle: async ({ memory, params, body: { query: asked, ...more }, idempotencyKey }) =>
      memory.page(params.pageId).queries.add({
        query: asked,
        ...definedFields({ id: madeId(idempotencyKey, 'query', params.pageId) }),
        ...definedFields(more),
      }),
  }),
  route({
    method: 'patch',
    path: '/api/queries/{queryId}',
    noun: 'Pages',
    operation: 'flagQuery',
    summary: 'Flags a query as important, or takes the flag away.',
    scope: 'write',
    body: object('the request', { important: z.boolean() }).meta({ id: 'QueryFlag' }),
    answer: ok(queryEntry),
    handle: async ({ memory, params, body }) =>
      memory.queries.update(params.queryId, { important: body.important }),
  }),
  route({
    method: 'delete',
    path: '/api/queries/{queryId}',
    noun: 'Pages',
    operation: 'eraseQuery',
    summary: 'Erases a query, for good.',
    scope: 'write',
    answer: ok(z.object({ erased })),
    async handle({ memory, params }) {
      return { erased: await memory.queries.erase(params.queryId) }
    },
  }),
  route({
    method: 'delete',
    path: '/api/active-files/{documentId}',
    noun: 'Pages',
    operation: 'forgetDocument',
    summary: 'A document is gone: it is no page’s active file any longer. Answers of how many it was.',
    scope: 'write',
    answer: ok(z.object({ pages: z.int() })),
    async handle({ memory, params }) {
      return { pages: await memory.pages.closeFile(params.documentId) }
    },
  }),
]
