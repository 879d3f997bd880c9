// The part of the contract that keeps documents and their chunks. The text of a document belongs to the record; its
// chunks are derived and can be rebuilt. The promises of store.ts hold here too, and:
//
//  1. Unique. No two documents of a workspace have the same content.
//  2. All or nothing. A document is stored with all of its chunks, of one version, or not at all.
//  3. Found at once. A chunk can be found by its words, and by those of its headings, as soon as the call has
//     resolved.
//  4. Within its scope. A search covers documents that are visible to every conversation, or attached to one of the
//     named conversations; if none is named, to any conversation with memory on.
//  5. Attachments agree. `documents` of a conversation and `conversationIds` of a document always match.
//  6. Erased for good. Erasing a document removes its text, its chunks and their index entries, and its id from
//     pages (as the active file) and from the lists of conversations. Documents attached only to erased
//     conversations are erased with them.

import type { Chunk, Document, DocumentFormat, DocumentText } from '../domain/document.ts'
import type { ConversationId, DocumentId, WorkspaceId } from '../domain/ids.ts'
import type { MessageLocator } from '../domain/locator.ts'
import type { Paginated } from '../domain/search.ts'
import type { FoundLocators, WordLookup } from './recall-store.ts'

/** One document of one workspace. */
export interface DocumentKey {
  readonly workspace: WorkspaceId
  readonly document: DocumentId
}

/** A chunk before it belongs to a document. */
export type NewChunk = Omit<Chunk, 'id' | 'documentId' | 'version'>

/** The chunks of a text, and its token count. */
export interface Chunked {
  /** In order. */
  readonly chunks: readonly NewChunk[]
  /** Of the whole text. */
  readonly tokens: number
  readonly tokenizer: string
}

/** A document that was read, validated and chunked. */
export interface AcceptedDocument extends Chunked {
  readonly name: string
  readonly mediaType: string
  readonly format: DocumentFormat
  readonly contentHash: string
  readonly bytes: number
  readonly content: DocumentText
}

/** Called periodically with the number of chunks written. */
export type OnChunks = (done: number) => void

export interface DocumentReplacement extends DocumentKey {
  readonly accepted: AcceptedDocument
  readonly now: Date
  readonly onChunks?: OnChunks
}

export interface DocumentAddition extends DocumentReplacement {
  /** The conversation to attach it to, created if missing. Without one, every conversation sees the document. */
  readonly conversation?: ConversationId
}

/** A document from an export, with its history. Its attachments are in the lists of the conversations. */
export interface ImportedDocument extends Omit<DocumentReplacement, 'now'> {
  readonly version: number
  readonly isWorkspaceWide: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface DocumentSaved {
  readonly document: Document
  /** False if a document with the same content existed; nothing was indexed then. */
  readonly isNew: boolean
}

export interface DocumentList {
  readonly workspace: WorkspaceId
  /** Only documents attached to this conversation. */
  readonly conversation?: ConversationId
  readonly limit: number
  readonly cursor?: string
}

export interface ChunkRange extends DocumentKey {
  /** Exclusive. */
  readonly after?: number
  readonly limit: number
}

export interface ChunkLookup extends WordLookup {
  /** Only chunks of these documents. @default all documents in scope */
  readonly documents?: readonly DocumentId[]
}

/** A chunk that was found, with fields of its document. */
export interface PlacedChunk extends Chunk {
  /** The store's number of the document, times 2^24, plus the chunk index. */
  readonly place: MessageLocator
  readonly documentName: string
  /** When this version was added. */
  readonly createdAt: Date
}

export interface DocumentStore {
  /**
   * If the document with this id has the same content, it is returned unchanged apart from the new attachment.
   * Other content under the id, or the same content under another id, is a conflict.
   */
  addDocument(addition: DocumentAddition): Promise<DocumentSaved>
  /**
   * Adds a document from an export, with its history. An existing document with the same id or content stays
   * unchanged.
   */
  importDocument(imported: ImportedDocument): Promise<DocumentSaved>
  /**
   * Stores a new version under the same id, with the same attachments, and removes the old one. Identical content
   * only renames.
   */
  replaceDocument(replacement: DocumentReplacement): Promise<DocumentSaved>
  findDocument(key: DocumentKey): Promise<Document | undefined>
  /** Looks up a document by the hash of its content. */
  findDocumentByContent(workspace: WorkspaceId, contentHash: string): Promise<Document | undefined>
  /** Newest first. */
  listDocuments(list: DocumentList): Promise<Paginated<Document>>
  documentText(key: DocumentKey): Promise<DocumentText | undefined>
  /** In order. */
  chunks(range: ChunkRange): Promise<readonly Chunk[]>
  /** Replaces the chunks of the same text. Returns false if the document was deleted or has another version. */
  saveChunks(key: DocumentKey, version: number, chunked: Chunked): Promise<boolean>

  /** Attaches it to a conversation, created if missing. Without one, every conversation sees it. */
  attachDocument(key: DocumentKey, conversation: ConversationId | undefined, now: Date): Promise<Document>
  /** Detaches it from a conversation. Without one, it is no longer visible to every conversation. */
  detachDocument(key: DocumentKey, conversation: ConversationId | undefined): Promise<Document>

  findChunkPlaces(lookup: ChunkLookup): Promise<FoundLocators>
  /** In the order of `places`. Places that do not exist or belong to another workspace are left out. */
  chunksAt(workspace: WorkspaceId, places: readonly MessageLocator[]): Promise<readonly PlacedChunk[]>
}
