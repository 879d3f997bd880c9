import { definedFields } from '../domain/defined-fields.ts'
import type { Chunk, Document } from '../domain/document.ts'
import { MemoryError } from '../domain/errors.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { Paginated } from '../domain/search.ts'
import { acceptConversationId } from '../record/accept-id.ts'
import { acceptLimit } from '../record/accept-limit.ts'
import { acceptObject } from '../record/accept-object.ts'
import {
  acceptDocumentId,
  type NewDocument,
  type ReplacingDocument,
} from '../record/documents/accept-document.ts'
import { addDocument, attach, replaceDocument, type SavedDocument } from '../record/documents/add-document.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import type { DocumentKey } from '../store/document-store.ts'
import { readDocuments } from '../store/read-pages.ts'
import type { Erased } from '../store/store.ts'

export interface DocumentListOptions {
  /** Only those attached to this conversation. @default all */
  readonly conversationId?: string
  /** @default 50 */
  readonly limit?: number
  readonly cursor?: string
}

export interface ChunkListOptions {
  /** Only those after this index. */
  readonly after?: number
  /** @default 100 */
  readonly limit?: number
}

/** A conversation, or all of them. */
export interface AttachOptions {
  /** @default every conversation, also those to come */
  readonly conversationId?: string
}

/** Files that were given to the workspace or to conversations, and the chunks they were cut into. */
export interface DocumentsHandle {
  /** Reads the file, cuts it into chunks and keeps both. The same content again is attached, and not indexed twice. */
  add(document: NewDocument): Promise<SavedDocument>
  /** Newest first. */
  list(options?: DocumentListOptions): Promise<Paginated<Document>>
  get(id: string): Promise<Document | undefined>
  /** All that it says. Of HTML, PDF and DOCX the words, laid out as Markdown. */
  text(id: string): Promise<string>
  /** In order. */
  chunks(id: string, options?: ChunkListOptions): Promise<readonly Chunk[]>
  /** A new version under the same id, attached as before; the old one is gone. */
  replace(id: string, replacement: ReplacingDocument): Promise<SavedDocument>
  /** Lets a conversation see it, or all of them. */
  attach(id: string, options?: AttachOptions): Promise<Document>
  detach(id: string, options?: AttachOptions): Promise<Document>
  /** Erases it for good, in all versions, and clears it as active file of pages. */
  erase(id: string): Promise<Erased>
}

export function openDocuments(recorder: WorkspaceDeps): DocumentsHandle {
  const { store, workspace, limits, now } = recorder
  const toKey = (id: string): DocumentKey => ({ workspace, document: acceptDocumentId(id, limits) })
  const toConversation = (options: AttachOptions = {}) => acceptTarget(recorder, options)
  return {
    add: (document) => addDocument(recorder, document),
    list: (options) => listDocuments(recorder, options),
    get: async (id) => store.findDocument(toKey(id)),
    text: async (id) => (await store.documentText(toKey(id)))?.text ?? notFound(id),
    chunks: async (id, { after, limit } = {}) => {
      const key = toKey(id)
      if ((await store.findDocument(key)) === undefined) notFound(id)
      return store.chunks({ ...key, limit: acceptLimit(limit, 100), ...definedFields({ after }) })
    },
    replace: (id, replacement) => replaceDocument(recorder, id, replacement),
    attach: async (id, options) => attach(recorder, toKey(id), toConversation(options)),
    detach: async (id, options) => store.detachDocument(toKey(id), toConversation(options)),
    erase: async (id) => store.eraseDocument(toKey(id), now()),
  }
}

function notFound(id: string): never {
  throw new MemoryError('not-found', `there is no document "${id}"`, {
    hint: 'list the documents to see their ids',
  })
}

function acceptTarget({ limits }: WorkspaceDeps, options: AttachOptions): ConversationId | undefined {
  acceptObject(options, { what: 'where to attach a document', fields: ['conversationId'] })
  const { conversationId: id } = options
  return id === undefined ? undefined : acceptConversationId(id, limits)
}

async function listDocuments(
  { store, workspace, limits }: WorkspaceDeps,
  options: DocumentListOptions = {},
): Promise<Paginated<Document>> {
  acceptObject(options, { what: 'a list of documents', fields: ['conversationId', 'limit', 'cursor'] })
  const { conversationId: id, limit, cursor } = options
  return store.listDocuments({
    workspace,
    limit: acceptLimit(limit, 50),
    ...definedFields({ cursor }),
    ...(id !== undefined && { conversation: acceptConversationId(id, limits) }),
  })
}

/** All documents attached to a conversation: there are never very many. */
export async function listAttached(
  { store, workspace }: WorkspaceDeps,
  conversation: ConversationId,
): Promise<readonly Document[]> {
  const documents: Document[] = []
  for await (const document of readDocuments(store, { workspace, conversation })) documents.push(document)
  return documents
}
