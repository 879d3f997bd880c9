import type { ConversationId, DocumentId } from './ids.ts'

/** What a document can be. */
export type DocumentFormat = 'text' | 'markdown' | 'html' | 'pdf' | 'docx' | 'csv' | 'json' | 'code'
export const DOCUMENT_FORMATS: readonly DocumentFormat[] = [
  'text',
  'markdown',
  'html',
  'pdf',
  'docx',
  'csv',
  'json',
  'code',
]

/** A file that was given to the workspace or to conversations. */
export interface Document {
  readonly id: DocumentId
  readonly name: string
  readonly mediaType: string
  readonly format: DocumentFormat
  /** 1, and one more with each replacement. */
  readonly version: number
  /** SHA-256 of the file as it was given, in hexadecimal. */
  readonly contentHash: string
  /** How large the file was. */
  readonly bytes: number
  /** How long its text is. */
  readonly characters: number
  /** What its text takes, counted piece by piece. */
  readonly tokens: number
  readonly tokenizer: string
  readonly chunkCount: number
  /** Every conversation sees it. */
  readonly isWorkspaceWide: boolean
  /** The conversations that it is attached to. */
  readonly conversationIds: readonly ConversationId[]
  readonly createdAt: Date
  /** When it was last replaced or renamed. */
  readonly updatedAt: Date
}

/** A piece of a document, small enough to be handed to a model. */
export interface Chunk {
  readonly id: string
  readonly documentId: DocumentId
  readonly version: number
  /** 0, 1, 2 … within its document. */
  readonly index: number
  /** The headings above it, the highest first; the keys of JSON, the declarations of code. */
  readonly headingPath: readonly string[]
  /** Its words; where a table goes on in it, with the table's head repeated. */
  readonly text: string
  readonly tokens: number
  /** Its place in the document's text, in characters; the end is exclusive. Neighbours may overlap. */
  readonly start: number
  readonly end: number
}

/** The same for the same version and index. */
export const chunkId = (document: DocumentId, version: number, index: number): string =>
  `${document}:${version}:${index}`

export function readChunkId(
  id: string,
): { readonly documentId: DocumentId; readonly index: number } | undefined {
  const [, document, index] = /^(.*):\d+:(\d+)$/s.exec(id) ?? []
  if (document === undefined) return undefined
  return { documentId: document as DocumentId, index: Number(index) }
}

export type BlockKind = 'heading' | 'paragraph' | 'item' | 'code' | 'header' | 'row'
export const BLOCK_KINDS: readonly BlockKind[] = ['heading', 'paragraph', 'item', 'code', 'header', 'row']

/**
 * A stretch of a document's text that belongs together: a heading, a paragraph, an item of a list, code, the head
 * or a row of a table. Blocks stand in order and do not overlap. A heading that is not written out, such as a key
 * of JSON, has no length.
 */
export interface Block {
  readonly kind: BlockKind
  readonly start: number
  readonly end: number
  /** Of a heading: 1 for the highest. */
  readonly level?: number
  /** Of a heading: its words, without marks. */
  readonly title?: string
}

/** What a document says, and how it is laid out: all that is kept of a file. */
export interface DocumentText {
  readonly text: string
  readonly blocks: readonly Block[]
}
