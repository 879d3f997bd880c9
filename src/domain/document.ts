import type { ConversationId, DocumentId } from './ids.ts'

/** The supported formats of a document. */
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

/** A file added to the workspace or to conversations. */
export interface Document {
  readonly id: DocumentId
  readonly name: string
  readonly mediaType: string
  readonly format: DocumentFormat
  /** Starts at 1; incremented by each replacement. */
  readonly version: number
  /** SHA-256 of the original file, in hexadecimal. */
  readonly contentHash: string
  /** The size of the file. */
  readonly bytes: number
  /** The length of its text. */
  readonly characters: number
  /** The tokens of its text, summed over its chunks. */
  readonly tokens: number
  readonly tokenizer: string
  readonly chunkCount: number
  /** Visible to every conversation. */
  readonly isWorkspaceWide: boolean
  /** The conversations it is attached to. */
  readonly conversationIds: readonly ConversationId[]
  readonly createdAt: Date
  /** When it was last replaced or renamed. */
  readonly updatedAt: Date
}

/** A part of a document, small enough for a model. */
export interface Chunk {
  readonly id: string
  readonly documentId: DocumentId
  readonly version: number
  /** 0, 1, 2 … within its document. */
  readonly index: number
  /** The headings above it, highest first; for JSON the keys, for code the declarations. */
  readonly headingPath: readonly string[]
  /** Its text; if it continues a table, with the table's header repeated. */
  readonly text: string
  readonly tokens: number
  /** Its range in the document's text, in characters; the end is exclusive. Neighbours may overlap. */
  readonly start: number
  readonly end: number
}

/** Deterministic: the same for the same version and index. */
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
 * A range of a document's text that belongs together: a heading, a paragraph, a list item, code, the header
 * or a row of a table. Blocks are in order and do not overlap. A heading that is not in the text, such as a
 * JSON key, has no length.
 */
export interface Block {
  readonly kind: BlockKind
  readonly start: number
  readonly end: number
  /** For a heading: 1 is the highest. */
  readonly level?: number
  /** For a heading: its text without markup. */
  readonly title?: string
}

/** The text of a document and its layout: all that is kept of a file. */
export interface DocumentText {
  readonly text: string
  readonly blocks: readonly Block[]
}
