import { definedFields } from '../domain/defined-fields.ts'
import type { Chunk, Document } from '../domain/document.ts'
import { MemoryError } from '../domain/errors.ts'
import { type ConversationId, pageId } from '../domain/ids.ts'
import type { Paginated } from '../domain/search.ts'
import { acceptConversationId, acceptName, acceptObject } from '../record/accept.ts'
import {
  acceptDocumentId,
  addDocument,
  attach,
  type NewDocument,
  type ReplacingDocument,
  replaceDocument,
  type SavedDocument,
} from '../record/documents/add-document.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import { checkLimit } from '../schemas/values.ts'
import type { DocumentKey } from '../store/document-store.ts'
import type { Erased } from '../store/store.ts'
import { type FilePlace, openFile } from './page-follow.ts'
import { type PageOptions, type PaginatedList, paginate, positionFrom } from './paginate.ts'

export interface DocumentListOptions extends PageOptions {
  /** Only documents attached to this conversation. @default all */
  readonly conversationId?: string
  /** @default 50 */
  readonly limit?: number
}

export interface ChunkListOptions extends PageOptions {
  /** Only chunks after this index. */
  readonly after?: number
  /** @default 100 */
  readonly limit?: number
}

/** A conversation, or all of them. */
export interface DetachOptions {
  /** @default every conversation, including future ones */
  readonly conversationId?: string
}

/** Where to attach a document. */
export interface AttachOptions extends DetachOptions {
  /** It becomes the active file of this page. @default the pages of the conversation */
  readonly pageId?: string
}

/**
 * Files of the workspace and the chunks they are cut into: `memory.documents`.
 *
 * @example
 * const document = await memory.documents.add({
 *   name: 'menu.md',
 *   content: '# Menu\n\nBacalhau, 14 euros',
 *   conversationId: 'trip',
 * })
 * const { items: chunks } = await memory.documents.chunks(document.id)
 * await memory.documents.erase(document.id)
 */
export interface Documents {
  /**
   * Reads the file, splits it into chunks and stores both. The same content again is attached, not indexed
   * twice.
   */
  add(document: NewDocument): Promise<SavedDocument>
  /** Newest first. */
  list(options?: DocumentListOptions): PaginatedList<Document>
  get(id: string): Promise<Document | undefined>
  /** The whole text; HTML, PDF and DOCX files as Markdown. */
  text(id: string): Promise<string>
  /** In order. */
  chunks(id: string, options?: ChunkListOptions): PaginatedList<Chunk>
  /** Stores a new version under the same id, attached as before; the old version is erased. */
  replace(id: string, replacement: ReplacingDocument): Promise<SavedDocument>
  /** Makes it visible to a conversation, or to all of them. */
  attach(id: string, options?: AttachOptions): Promise<Document>
  detach(id: string, options?: DetachOptions): Promise<Document>
  /** Erases all versions for good, and clears it as the active file of pages. */
  erase(id: string): Promise<Erased>
}

/** Documents attached to one conversation: `trip.documents`. Workspace-wide documents are not listed here. */
export interface ConversationDocuments {
  /** Newest first. */
  list(options?: Omit<DocumentListOptions, 'conversationId'>): PaginatedList<Document>
}

export const createConversationDocuments = (
  deps: WorkspaceDeps,
  id: ConversationId,
): ConversationDocuments => ({
  list: (options) => listDocuments(deps, { ...options, conversationId: id }),
})

export function createDocuments(deps: WorkspaceDeps): Documents {
  const { store, workspace, limits, now } = deps
  const toKey = (id: string): DocumentKey => ({ workspace, document: acceptDocumentId(id, limits) })
  return {
    add: async (document) => {
      const { conversationId, pageId: page } = document
      const place = acceptPlace(deps, definedFields({ conversationId, pageId: page }))
      const saved = await addDocument(deps, document)
      await openFile(deps, saved, place)
      return saved
    },
    list: (options) => listDocuments(deps, options),
    get: async (id) => store.findDocument(toKey(id)),
    text: async (id) => (await store.documentText(toKey(id)))?.text ?? notFound(id),
    chunks: (id, { after, limit, cursor } = {}) =>
      paginate(
        async (from) =>
          readChunks(deps, toKey(id), {
            after: from === undefined ? after : positionFrom(from),
            limit: checkLimit(limit, 100),
          }),
        { cursor },
      ),
    replace: (id, replacement) => replaceDocument(deps, id, replacement),
    attach: async (id, options = {}) => {
      const place = acceptPlace(deps, options)
      const attached = await attach(deps, toKey(id), place.conversation)
      await openFile(deps, attached, place)
      return attached
    },
    detach: async (id, options = {}) => {
      acceptObject(options, { what: 'where to detach a document', fields: ['conversationId'] })
      return store.detachDocument(toKey(id), acceptPlace(deps, options).conversation)
    },
    erase: async (id) => store.eraseDocument(toKey(id), now()),
  }
}

function notFound(id: string): never {
  throw new MemoryError('not-found', `there is no document "${id}"`, {
    hint: 'list the documents to see their ids',
  })
}

function acceptPlace({ limits }: WorkspaceDeps, options: AttachOptions): FilePlace {
  acceptObject(options, { what: 'where to attach a document', fields: ['conversationId', 'pageId'] })
  const { conversationId: id, pageId: page } = options
  return {
    conversation: id === undefined ? undefined : acceptConversationId(id, limits),
    page:
      page === undefined
        ? undefined
        : pageId(acceptName(page, { what: 'a page id', most: limits.idCharacters })),
  }
}

interface ChunkRange {
  readonly after: number | undefined
  readonly limit: number
}

async function readChunks(
  { store }: WorkspaceDeps,
  key: DocumentKey,
  { after, limit }: ChunkRange,
): Promise<Paginated<Chunk>> {
  const document = (await store.findDocument(key)) ?? notFound(key.document)
  const items = await store.chunks({ ...key, limit, ...definedFields({ after }) })
  const last = items.at(-1)?.index
  return last !== undefined && last + 1 < document.chunkCount ? { items, next: String(last) } : { items }
}

const LIST_FIELDS = ['conversationId', 'limit', 'cursor'] as const

function listDocuments(
  { store, workspace, limits }: WorkspaceDeps,
  options: DocumentListOptions = {},
): PaginatedList<Document> {
  const { conversationId: id, limit, cursor } = options
  return paginate(
    async (from) => {
      acceptObject(options, { what: 'a list of documents', fields: LIST_FIELDS })
      return store.listDocuments({
        workspace,
        limit: checkLimit(limit, 50),
        ...definedFields({ cursor: from }),
        ...(id !== undefined && { conversation: acceptConversationId(id, limits) }),
      })
    },
    { cursor },
  )
}
