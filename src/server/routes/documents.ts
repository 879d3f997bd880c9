import { z } from 'zod'
import { definedFields } from '../../domain/defined-fields.ts'
import type { Document, Documents, Erased } from '../../index.ts'
import { cursor, limit, queryOf, wholeNumber } from '../../schemas/lists.ts'
import { object } from '../../schemas/values.ts'
import { needConversation, notFound } from '../need.ts'
import { created, nothing, ok, type Route, route, stream } from '../route.ts'
import { saveWithProgress } from '../save-with-progress.ts'
import {
  chunk,
  document,
  newDocument,
  newDocumentForm,
  replacement,
  replacementForm,
  savedDocument,
} from '../schemas/document.ts'
import { id, next } from '../schemas/values.ts'
import { addOnce, toDocument } from '../sent-document.ts'

const documentList = ok(z.object({ documents: z.array(document), next }))
const paging = { limit: limit(1000, 50), cursor }
const target = object('the request', {
  conversationId: id.optional().meta({ description: 'All conversations unless given.' }),
}).meta({ id: 'DocumentTarget' })

const ATTACHING = {
  attach: 'Lets a conversation see it, or all of them, also those to come.',
  detach: 'Takes that away again. What no conversation sees is still there.',
} as const

export const documentRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/documents',
    noun: 'Documents',
    operation: 'listDocuments',
    summary: 'Files that were given to the workspace or to conversations, newest first.',
    scope: 'read',
    query: queryOf({
      conversationId: id.optional().meta({ description: 'Only those attached to it.' }),
      ...paging,
    }),
    answer: documentList,
    async handle({ memory, query }) {
      const page = await memory.documents.list(definedFields(query))
      return { documents: page.items, next: page.next ?? null }
    },
  }),
  route({
    method: 'get',
    path: '/api/conversations/{conversationId}/documents',
    noun: 'Documents',
    operation: 'listConversationDocuments',
    summary: 'The documents that are attached to this conversation.',
    scope: 'read',
    query: queryOf(paging),
    answer: documentList,
    async handle({ memory, params, query }) {
      const { conversation } = await needConversation(memory, params.conversationId)
      const page = await memory.documents.list({ conversationId: conversation.id, ...definedFields(query) })
      return { documents: page.items, next: page.next ?? null }
    },
  }),
  route({
    method: 'post',
    path: '/api/documents',
    noun: 'Documents',
    operation: 'addDocument',
    summary: 'Adds a file: as a form with the field `file`, or its text as JSON.',
    about:
      'It is read and cut into chunks before anything is kept. 413: too large; 415: a kind of file that no reader knows; 422: broken, encrypted or without text. The same content again is attached, and not kept twice.',
    scope: 'write',
    isRepeatable: true,
    hasProgress: true,
    body: newDocument,
    form: newDocumentForm,
    answer: created(savedDocument),
    async handle({ memory, body, idempotencyKey, ...caller }) {
      const place = definedFields({ id: body.id, conversationId: body.conversationId })
      const sent = { ...(await toDocument(body)), ...place }
      return saveWithProgress(caller, (work) =>
        addOnce(memory.documents, { ...sent, ...work }, idempotencyKey),
      )
    },
  }),
  route({
    method: 'get',
    path: '/api/documents/{documentId}',
    noun: 'Documents',
    operation: 'getDocument',
    summary: 'Name, format, version, size, who sees it.',
    scope: 'read',
    hasEtag: true,
    answer: ok(document),
    handle: async ({ memory, params }) => needDocument(memory.documents, params.documentId),
  }),
  route({
    method: 'get',
    path: '/api/documents/{documentId}/text',
    noun: 'Documents',
    operation: 'getDocumentText',
    summary: 'All that it says. Of HTML, PDF and DOCX the words, laid out as Markdown.',
    scope: 'read',
    answer: stream('The text.', 'text/plain'),
    handle: async ({ memory, params }) =>
      new Response(await memory.documents.text(params.documentId), {
        headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
      }),
  }),
  route({
    method: 'get',
    path: '/api/documents/{documentId}/chunks',
    noun: 'Documents',
    operation: 'listChunks',
    summary: 'The pieces that it was cut into, in order. `next` goes into `after`.',
    scope: 'read',
    query: queryOf({ after: wholeNumber.optional(), limit: limit(1000, 100) }),
    answer: ok(z.object({ chunks: z.array(chunk), next: z.int().nullable() })),
    async handle({ memory, params, query }) {
      const { chunkCount } = await needDocument(memory.documents, params.documentId)
      const chunks = (await memory.documents.chunks(params.documentId, definedFields(query))).items
      const last = chunks.at(-1)?.index
      return { chunks, next: last !== undefined && last + 1 < chunkCount ? last : null }
    },
  }),
  route({
    method: 'put',
    path: '/api/documents/{documentId}',
    noun: 'Documents',
    operation: 'replaceDocument',
    summary: 'A new version under the same id, attached as before; the old one is gone.',
    scope: 'write',
    hasProgress: true,
    body: replacement,
    form: replacementForm,
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
    route({
      method: 'post',
      path: `/api/documents/{documentId}/${verb}` as '/api/documents/{documentId}/verb',
      noun: 'Documents',
      operation: `${verb}Document`,
      summary: ATTACHING[verb],
      scope: 'write',
      body: target,
      answer: ok(document),
      handle: async ({ memory, params, body }) =>
        memory.documents[verb](params.documentId, definedFields(body)),
    }),
  ),
  route({
    method: 'delete',
    path: '/api/documents/{documentId}',
    noun: 'Documents',
    operation: 'eraseDocument',
    summary: 'Erases it for good, in all versions, and clears it as active file of pages.',
    about:
      'The header X-Recollect-Erased has the counts. `isScrubbed=false`: another reader keeps the old state alive; `POST /api/finish-erasing` ends it.',
    scope: 'write',
    answer: nothing,
    async handle({ memory, params }) {
      const erased = await memory.documents.erase(params.documentId)
      return new Response(null, { status: 204, headers: { 'x-recollect-erased': countErased(erased) } })
    },
  }),
]

const countErased = ({ documents, isScrubbed }: Erased): string =>
  `documents=${documents}; isScrubbed=${isScrubbed}`

async function needDocument(documents: Documents, documentId: string): Promise<Document> {
  const found = await documents.get(documentId)
  if (found !== undefined) return found
  throw notFound(`there is no document "${documentId}"`, 'GET /api/documents lists them')
}
