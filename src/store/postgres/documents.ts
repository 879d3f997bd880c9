// The text and the chunks of documents; the rest of documents is in sql/documents.ts.

import type { Chunk, DocumentText } from '../../domain/document.ts'
import { POSITIONS_PER_CONVERSATION } from '../../domain/locator.ts'
import { type DocumentRow, type PlacedRow, toPlacedChunk } from '../document-rows.ts'
import type { ChunkRange, DocumentKey } from '../document-store.ts'
import { type PackedText, unpackText } from '../document-text.ts'
import { removeChunkWords } from './chunks.ts'
import type { Session } from './session.ts'

export async function writeDocumentText(
  session: Session,
  { workspace, number }: DocumentRow,
  { text, blocks }: PackedText,
): Promise<void> {
  await session.run(
    `INSERT INTO document_text (workspace, document, text, blocks) VALUES ($1, $2, $3, $4)
     ON CONFLICT (workspace, document) DO UPDATE SET text = excluded.text, blocks = excluded.blocks`,
    workspace,
    number,
    text,
    blocks,
  )
}

export async function dropChunks(session: Session, row: DocumentRow): Promise<void> {
  await removeChunkWords(session, row)
  await session.run('DELETE FROM chunk WHERE workspace = $1 AND document = $2', row.workspace, row.number)
}

export async function readDocumentText(
  session: Session,
  key: DocumentKey,
): Promise<DocumentText | undefined> {
  const packed = await session.get<PackedText>(
    `SELECT t.text, t.blocks FROM workspace w JOIN document d ON d.workspace = w.number
     JOIN document_text t ON t.workspace = d.workspace AND t.document = d.number WHERE w.id = $1 AND d.id = $2`,
    key.workspace,
    key.document,
  )
  return packed && unpackText(packed)
}

/** Selects a chunk `k` of a document `d` with its locator. */
export const PLACED_COLUMNS: string = `k.document * ${POSITIONS_PER_CONVERSATION}::bigint + k.position AS place, k.heading_path, k.text,
  k.tokens, k.starts_at, k.ends_at, d.id, d.version, d.name, d.updated_at`

export async function readChunks(
  session: Session,
  { after = -1, limit, ...key }: ChunkRange,
): Promise<readonly Chunk[]> {
  const rows = await session.all<PlacedRow>(
    `SELECT ${PLACED_COLUMNS} FROM workspace w JOIN document d ON d.workspace = w.number
     JOIN chunk k ON k.workspace = d.workspace AND k.document = d.number
     WHERE w.id = $1 AND d.id = $2 AND k.position > $3 ORDER BY k.position LIMIT $4`,
    key.workspace,
    key.document,
    after,
    limit,
  )
  return rows.map((chunk) => {
    const { place: _, documentName: __, createdAt: ___, ...plain } = toPlacedChunk(chunk)
    return plain
  })
}
