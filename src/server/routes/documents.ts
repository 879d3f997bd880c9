import { z } from 'zod'
import { definedFields } from '../../domain/defined-fields.ts'
import type { Document, Documents, Erased } from '../../index.ts'
import { cursor, limit, queryOf, wholeNumber } from '../../schemas/lists.ts'
import { object } from '../../schemas/values.ts'
import {
  created,
  needConversation,
  notFound,
  nothing,
  ok,
  pageOf,
  route,
  routesOf,
  stream,
} from '../route.ts'
import {
  addOnce,
  chunk,
  document,
  newDocument,
  newDocumentForm,
  pageOfFile,
  replacement,
  replacementForm,
  savedDocument,
  toDocument,
} from '../schemas/document.ts'
import { id, next } from '../schemas/responses.ts'
import { saveWithProgress } from '../uploads.ts'

const documentList = ok(z.object({ documents: z.array(document), next }))
const paging = { limit: limit(1000, 50), cursor }
const target = object('the request', {
  conversationId: id.optional().meta({ description: 'Default: all conversations.' }),
}).meta({ id: 'DocumentTarget' })
const attachTarget = target.extend({ pageId: pageOfFile }).meta({ id: 'AttachTarget' })

const ATTACHING = {
  attach: 'Attaches a document to a conversation, or to all present and future ones.',
  detach: 'Detaches a document. It is kept even if no conversation uses it.',
} as const

export const documentRoutes = routesOf('Documents', [
  route.get('/api/documents', {
    operation: 'listDocuments',
    summary: 'Lists the documents of the workspace and of conversations, newest first.',
    scope: 'read',
    query: queryOf({
      conversationId: id.optional().meta({ description: 'Only documents attached to it.' }),
      ...paging,
    }),
    answer: documentList,
    handle: async ({ memory, query }) => pageOf('documents', memory.documents.list(query)),
  }),
  route.get('/api/conversations/{conversationId}/documents', {
    operation: 'listConversationDocuments',
    summary: 'Lists the documents attached to this conversation.',
    scope: 'read',
    query: queryOf(paging),
    answer: documentList,
    async handle({ memory, params, query }) {
      const { conversation } = await needConversation(memory, params.conversationId)
      return pageOf('documents', memory.documents.list({ conversationId: conversation.id, ...query }))
    },
  }),
  route.post('/api/documents', {
    operation: 'addDocument',
    summary: 'Adds a file: as a form with the field `file`, or its text as JSON.',
    about:
      'It is read and split into chunks before anything is stored. 413: too large; 415: unsupported file type; 422: damaged, encrypted or without text. If the same content exists, it is attached instead of stored twice.',
    scope: 'write',
    supports: ['idempotency-key', 'progress'],
    body: { json: newDocument, form: newDocumentForm },
    answer: created(savedDocument),
    async handle({ memory, body, idempotencyKey, ...caller }) {
      const { id, conversationId, pageId } = body
      const place = definedFields({ id, conversationId, pageId })
      const sent = { ...(await toDocument(body)), ...place }
      return saveWithProgress(caller, (work) =>
        addOnce(memory.documents, { ...sent, ...work }, idempotencyKey),
      )
    },
  }),
  route.get('/api/documents/{documentId}', {
    operation: 'getDocument',
    summary: 'Gets a document: name, format, version, size, where it is attached.',
    scope: 'read',
    supports: ['etag'],
    answer: ok(document),
    handle: async ({ memory, params }) => needDocument(memory.documents, params.documentId),
  }),
  route.get('/api/documents/{documentId}/text', {
    operation: 'getDocumentText',
    summary: 'Gets the text of a document. HTML, PDF and DOCX are converted to Markdown.',
    scope: 'read',
    answer: stream('The text.', 'text/plain'),
    handle: async ({ memory, params }) =>
      new Response(await memory.documents.text(params.documentId), {
        headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
      }),
  }),
  route.get('/api/documents/{documentId}/chunks', {
    operation: 'listChunks',
    summary: 'Lists the chunks of a document in order. Pass `next` as `after` to continue.',
    scope: 'read',
    query: queryOf({ after: wholeNumber.optional(), limit: limit(1000, 100) }),
    answer: ok(z.object({ chunks: z.array(chunk), next: z.int().nullable() })),
    async handle({ memory, params, query }) {
      const { chunkCount } = await needDocument(memory.documents, params.documentId)
      const chunks = (await memory.documents.chunks(params.documentId, query)).items
      const last = chunks.at(-1)?.index
      return { chunks, next: last !== undefined && last + 1 < chunkCount ? last : null }
    },
  }),
  route.put('/api/documents/{documentId}', {
    operation: 'replaceDocument',
    summary: 'Replaces a document with a new version under the same id; attachments stay.',
    scope: 'write',
    supports: ['progress'],
    body: { json: replacement, form: replacementForm },
    answer: ok(savedDocument),
    async handle({ memory, params, body, ...caller }) {
      const { name } = await needDocument(memory.documents, params.documentId)
      const sent = await toDocument({
        ...body,
        ...definedFields({ name: body.name ?? body.file?.name ?? name }),
      })
      return saveWithProgress(caller, (work) =>
        memory.documents.replace(params.documentId, { ...sent, ...work }),
      )
    },
  }),
  ...(Object.keys(ATTACHING) as (keyof typeof ATTACHING)[]).map((verb) =>
    route.post(`/api/documents/{documentId}/${verb}` as '/api/documents/{documentId}/verb', {
      operation: `${verb}Document`,
      summary: ATTACHING[verb],
      scope: 'write',
      body: verb === 'attach' ? attachTarget : target,
      answer: ok(document),
      handle: async ({ memory, params, body }) => memory.documents[verb](params.documentId, body),
    }),
  ),
  route.delete('/api/documents/{documentId}', {
    operation: 'eraseDocument',
    summary: 'Permanently erases a document with all versions, and clears it as active file of pages.',
    about:
      'The header X-Recollect-Erased has the counts. `isScrubbed=false`: another process still reads the old data; `POST /api/finish-erasing` completes the erasure.',
    scope: 'write',
    answer: nothing,
    async handle({ memory, params }) {
      const erased = await memory.documents.erase(params.documentId)
      return new Response(null, { status: 204, headers: { 'x-recollect-erased': countErased(erased) } })
    },
  }),
])

const countErased = ({ documents, isScrubbed }: Erased): string =>
  `documents=${documents}; isScrubbed=${isScrubbed}`

async function needDocument(documents: Documents, documentId: string): Promise<Document> {
  const found = await documents.get(documentId)
  if (found !== undefined) return found
  throw notFound(`there is no document "${documentId}"`, 'GET /api/documents lists them')
}
