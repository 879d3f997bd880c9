// The text and the chunks of documents; the rest of documents is in sql/documents.ts.

import type { Chunk, DocumentText } from '../../domain/document.ts'
import { toLocator } from '../../domain/locator.ts'
import { type DocumentRow, PLACED_COLUMNS, type PlacedRow, toPlacedChunk } from '../document-rows.ts'
import type { ChunkRange, DocumentKey } from '../document-store.ts'
import { type PackedText, unpackText } from '../document-text.ts'
import type { WrittenChunks } from '../sql/engine.ts'
import { chunkEntry, hideWords } from './chunk-index.ts'
import type { Connection } from './connection.ts'
import { addEntry } from './word-index.ts'

export function writeDocumentText(
  connection: Connection,
  { number }: DocumentRow,
  { text, blocks }: PackedText,
): void {
  connection.run(
    'INSERT OR REPLACE INTO document_text (document, text, blocks) VALUES (?, ?, ?)',
    number,
    text,
    blocks,
  )
}

const REPORTED_EVERY = 256

export function writeChunks(
  connection: Connection,
  { number, workspace }: DocumentRow,
  { chunks, onChunks = () => undefined }: WrittenChunks,
): void {
  for (const [index, { headingPath, text, tokens, start, end }] of chunks.entries()) {
    const place = toLocator(number, index)
    const headings = JSON.stringify(headingPath)
    connection.run(
      'INSERT INTO chunk (place, heading_path, text, tokens, starts_at, ends_at) VALUES (?, ?, ?, ?, ?, ?)',
      place,
      headings,
      text,
      tokens,
      start,
      end,
    )
    addEntry(connection, 'chunk_words', chunkEntry({ place, heading_path: headings, text }, workspace))
    if (index % REPORTED_EVERY === 0) onChunks(index)
  }
  onChunks(chunks.length)
}

export function dropChunks(connection: Connection, row: DocumentRow): void {
  hideWords(connection, row)
  connection.run(
    'DELETE FROM chunk WHERE place >= ? AND place < ?',
    toLocator(row.number, 0),
    toLocator(row.number + 1, 0),
  )
}

export function readDocumentText(connection: Connection, key: DocumentKey): DocumentText | undefined {
  const packed = connection.get<PackedText>(
    `SELECT t.text, t.blocks FROM document_text t JOIN document d ON d.number = t.document
     JOIN workspace w ON w.number = d.workspace WHERE w.id = ? AND d.id = ?`,
    key.workspace,
    key.document,
  )
  return packed && unpackText(packed)
}

export function readChunks(
  connection: Connection,
  { after = -1, limit, ...key }: ChunkRange,
): readonly Chunk[] {
  const rows = connection.all<PlacedRow>(
    `SELECT ${PLACED_COLUMNS} FROM workspace w CROSS JOIN document d ON d.workspace = w.number
     CROSS JOIN chunk k ON k.place > (d.number << 24) + ? AND k.place < (d.number + 1) << 24
     WHERE w.id = ? AND d.id = ? ORDER BY k.place LIMIT ?`,
    after,
    key.workspace,
    key.document,
    limit,
  )
  return rows.map((chunk) => {
    const { place: _, documentName: __, createdAt: ___, ...plain } = toPlacedChunk(chunk)
    return plain
  })
}
