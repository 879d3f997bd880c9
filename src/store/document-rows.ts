// Rows of documents and chunks, and their conversion to domain objects.

import { chunkId, type Document, type DocumentFormat } from '../domain/document.ts'
import { conversationId, documentId } from '../domain/ids.ts'
import { type MessageLocator, positionOf } from '../domain/locator.ts'
import type { PlacedChunk } from './document-store.ts'
import type { Flag } from './rows.ts'

export interface DocumentRow {
  readonly number: number
  readonly workspace: number
  readonly id: string
  readonly name: string
  readonly media_type: string
  readonly format: string
  readonly version: number
  readonly content_hash: string
  readonly bytes: number
  readonly characters: number
  readonly tokens: number
  readonly tokenizer: string
  readonly chunk_count: number
  readonly is_workspace_wide: Flag
  readonly created_at: number
  readonly updated_at: number
}

/** Includes the ids of the conversations it is attached to, as JSON. */
export interface AttachedRow extends DocumentRow {
  readonly conversations: string
}

export function toDocument(row: AttachedRow): Document {
  const conversations: string[] = JSON.parse(row.conversations)
  return {
    id: documentId(row.id),
    name: row.name,
    mediaType: row.media_type,
    format: row.format as DocumentFormat,
    version: row.version,
    contentHash: row.content_hash,
    bytes: row.bytes,
    characters: row.characters,
    tokens: row.tokens,
    tokenizer: row.tokenizer,
    chunkCount: row.chunk_count,
    isWorkspaceWide: Boolean(row.is_workspace_wide),
    conversationIds: conversations.map(conversationId),
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  }
}

export interface ChunkRow {
  readonly place: number
  readonly heading_path: string
  readonly text: string
  readonly tokens: number
  readonly starts_at: number
  readonly ends_at: number
}

/** Includes fields of its document. */
export interface PlacedRow extends ChunkRow {
  readonly id: string
  readonly version: number
  readonly name: string
  readonly updated_at: number
}

export const PLACED_COLUMNS =
  'k.place, k.heading_path, k.text, k.tokens, k.starts_at, k.ends_at, d.id, d.version, d.name, d.updated_at'

export function toPlacedChunk(row: PlacedRow): PlacedChunk {
  const place = row.place as MessageLocator
  const index = positionOf(place)
  const document = documentId(row.id)
  return {
    place,
    id: chunkId(document, row.version, index),
    documentId: document,
    documentName: row.name,
    version: row.version,
    index,
    headingPath: JSON.parse(row.heading_path),
    text: row.text,
    tokens: row.tokens,
    start: row.starts_at,
    end: row.ends_at,
    createdAt: new Date(row.updated_at),
  }
}
