// The part of the contract that keeps documents and their chunks. The text of a document belongs to the record; its
// chunks are made from it, and can be made anew. The promises of store.ts hold here too, and:
//
//  1. Once. Of a workspace, no two documents have the same content.
//  2. All or nothing. A document is there with all of its chunks, of one version, or not at all.
//  3. Found at once. A chunk is found by its words, and by those of its headings, as soon as the call has resolved.
//  4. Within its scope. Chunks are found of documents that every conversation sees, or that are attached to one of
//     those that are named; where none is named, to one whose memory is on.
//  5. Attached is attached. `documents` of a conversation and `conversationIds` of a document say the same.
//  6. Erased is gone: with the document its text, its chunks and their words, its place on pages as the active file,
//     and in the lists of conversations. Documents that are attached to erased conversations only go with them.

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

/** What a text was cut into, and by which counting. */
export interface Chunked {
  /** In order. */
  readonly chunks: readonly NewChunk[]
  /** Of the whole text. */
  readonly tokens: number
  readonly tokenizer: string
}

/** A file that passed the door: read, checked and cut. */
export interface AcceptedDocument extends Chunked {
  readonly name: string
  readonly mediaType: string
  readonly format: DocumentFormat
  readonly contentHash: string
  readonly bytes: number
  readonly content: DocumentText
}

/** Called now and then with the number of chunks that are written. */
export type OnChunks = (done: number) => void

export interface DocumentReplacement extends DocumentKey {
  readonly accepted: AcceptedDocument
  readonly now: Date
  readonly onChunks?: OnChunks
}

export interface DocumentAddition extends DocumentReplacement {
  /** Attached to it, and it is made if it is missing; without, every conversation sees the document. */
  readonly conversation?: ConversationId
}

/** A document from an export, with its history. Where it is attached stands in the lists of conversations. */
export interface ImportedDocument extends Omit<DocumentReplacement, 'now'> {
  readonly version: number
  readonly isWorkspaceWide: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface DocumentSaved {
  readonly document: Document
  /** False where the same content was there already: nothing was indexed. */
  readonly isNew: boolean
}

export interface DocumentList {
  readonly workspace: WorkspaceId
  /** Only those attached to it. */
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
  /** Only of these. @default all that the scope has */
  readonly documents?: readonly DocumentId[]
}

/** A chunk that was found, and what it is from. */
export interface PlacedChunk extends Chunk {
  /** The store's number of the document, times 2^24, plus the index. */
  readonly place: MessageLocator
  readonly documentName: string
  /** When this version came in. */
  readonly createdAt: Date
}

export interface DocumentStore {
  /**
   * The document of this id with the same content is returned as it is, with the new attachment. Another content
   * under the id, or the same content under another one, is a conflict.
   */
  addDocument(addition: DocumentAddition): Promise<DocumentSaved>
  /** For a document that comes from an export, with its history. One of the same id or content stays as it is. */
  importDocument(imported: ImportedDocument): Promise<DocumentSaved>
  /** A new version, under the same id, attached as before; the old one is gone. The same content only renames. */
  replaceDocument(replacement: DocumentReplacement): Promise<DocumentSaved>
  findDocument(key: DocumentKey): Promise<Document | undefined>
  /** By the hash of its content. */
  findDocumentByContent(workspace: WorkspaceId, contentHash: string): Promise<Document | undefined>
  /** Newest first. */
  listDocuments(list: DocumentList): Promise<Paginated<Document>>
  documentText(key: DocumentKey): Promise<DocumentText | undefined>
  /** In order. */
  chunks(range: ChunkRange): Promise<readonly Chunk[]>
  /** Other chunks of the same text. False where the document is gone, or has another version. */
  saveChunks(key: DocumentKey, version: number, chunked: Chunked): Promise<boolean>

  /** To a conversation, which is made if it is missing; without one, every conversation sees it. */
  attachDocument(key: DocumentKey, conversation: ConversationId | undefined, now: Date): Promise<Document>
  /** From a conversation; without one, no longer every conversation sees it. */
  detachDocument(key: DocumentKey, conversation: ConversationId | undefined): Promise<Document>

  findChunkPlaces(lookup: ChunkLookup): Promise<FoundLocators>
  /** In the order of the places; those that are not there or of another workspace are left out. */
  chunksAt(workspace: WorkspaceId, places: readonly MessageLocator[]): Promise<readonly PlacedChunk[]>
}
