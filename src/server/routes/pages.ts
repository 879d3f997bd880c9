import { z } from 'zod'
import { definedFields } from '../../domain/defined-fields.ts'
import type { PageState, Query } from '../../index.ts'
import { cursor, limit, queryList, queryOf } from '../../schemas/lists.ts'
import { newQuery, pageChanges } from '../../schemas/page.ts'
import { object } from '../../schemas/values.ts'
import type { WireSchema } from '../../schemas/wire.ts'
import { created, idFromKey, ok, pageOf, route, routesOf } from '../route.ts'
import { jsonObject, jsonValue, next, time } from '../schemas/responses.ts'
import { erased } from '../schemas/upkeep.ts'

const page: WireSchema<PageState> = z
  .object({
    pageId: z.string(),
    activeFile: z
      .object({ id: z.string(), name: z.string().optional(), metadata: jsonObject.optional() })
      .nullable(),
    currentTopic: z.string().nullable(),
    entities: jsonObject,
    preferences: jsonObject,
    queryCount: z.int(),
    createdAt: time,
    updatedAt: time,
    lastUsedAt: time,
  })
  .meta({ id: 'PageState' })

const queryEntry: WireSchema<Query> = z
  .object({
    id: z.string(),
    pageId: z.string(),
    position: z.int(),
    query: z.string(),
    intent: z.enum(['general_chat', 'data_query', 'hybrid']),
    sql: z.string().nullable(),
    results: jsonValue,
    resultsTruncated: z.object({ rows: z.int().optional(), bytes: z.int() }).optional(),
    response: z.string().nullable(),
    important: z.boolean(),
    createdAt: time,
  })
  .meta({ id: 'Query' })

export const pageRoutes = routesOf('Pages', [
  route.get('/api/context', {
    operation: 'listPages',
    summary: 'Lists pages by last use, newest first.',
    scope: 'read',
    query: queryOf({ limit: limit(1000, 50), cursor }),
    answer: ok(z.object({ pages: z.array(page), next })),
    handle: async ({ memory, query }) => pageOf('pages', memory.pages.list(query)),
  }),
  route.get('/api/context/{pageId}', {
    operation: 'loadPage',
    summary: 'Gets the state of a page; creates the page if it does not exist.',
    scope: 'read',
    supports: ['etag'],
    answer: ok(z.object({ context: page })),
    handle: async ({ memory, params }) => ({ context: await memory.page(params.pageId).load() }),
  }),
  route.post('/api/context/{pageId}', {
    operation: 'savePage',
    summary: 'Updates the state of a page: fields left out stay, null clears.',
    scope: 'write',
    supports: ['unknown-fields'],
    body: pageChanges,
    answer: ok(z.object({ success: z.literal(true), context: page })),
    handle: async ({ memory, params, body }) => ({
      success: true as const,
      context: await memory.page(params.pageId).save(body),
    }),
  }),
  route.delete('/api/context/{pageId}', {
    operation: 'erasePage',
    summary: 'Permanently erases a page and its queries; a conversation with the same id stays.',
    scope: 'write',
    answer: ok(z.object({ erased })),
    handle: async ({ memory, params }) => ({ erased: await memory.page(params.pageId).erase() }),
  }),
  route.get('/api/context/{pageId}/history', {
    operation: 'listQueries',
    summary: 'Lists the last queries of a page in order, or those relevant to a question.',
    about: 'With `question`: the first, the last and the flagged queries, and relevant ones in between.',
    scope: 'read',
    query: queryList,
    answer: ok(z.object({ queries: z.array(queryEntry) })),
    async handle({ memory, params, query: { question, ...page } }) {
      const options = { ...page, ...definedFields({ query: question }) }
      return { queries: (await memory.page(params.pageId).queries.list(options)).items }
    },
  }),
  route.post('/api/context/{pageId}/history', {
    operation: 'addQuery',
    summary: 'Adds a query to the history of a page.',
    scope: 'write',
    supports: ['idempotency-key', 'unknown-fields'],
    body: newQuery,
    answer: created(queryEntry),
    handle: async ({ memory, params, body, idempotencyKey }) =>
      memory
        .page(params.pageId)
        .queries.add({ ...idFromKey(idempotencyKey, 'query', params.pageId), ...body }),
  }),
  route.patch('/api/queries/{queryId}', {
    operation: 'flagQuery',
    summary: 'Flags a query as important, or removes the flag.',
    scope: 'write',
    supports: ['unknown-fields'],
    body: object('the request', { important: z.boolean() }).meta({ id: 'QueryFlag' }),
    answer: ok(queryEntry),
    handle: async ({ memory, params, body }) =>
      memory.queries.update(params.queryId, { important: body.important }),
  }),
  route.delete('/api/queries/{queryId}', {
    operation: 'eraseQuery',
    summary: 'Permanently erases a query.',
    scope: 'write',
    answer: ok(z.object({ erased })),
    handle: async ({ memory, params }) => ({ erased: await memory.queries.erase(params.queryId) }),
  }),
  route.delete('/api/active-files/{documentId}', {
    operation: 'forgetDocument',
    summary: 'Clears a deleted document as active file of all pages; returns the number of pages.',
    scope: 'write',
    answer: ok(z.object({ pages: z.int() })),
    handle: async ({ memory, params }) => ({ pages: await memory.pages.closeFile(params.documentId) }),
  }),
])
