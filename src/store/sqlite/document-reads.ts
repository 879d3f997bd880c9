import type { Chunk, Document, DocumentText } from '../../domain/document.ts'
import { MemoryError } from '../../domain/errors.ts'
import type { WorkspaceId } from '../../domain/ids.ts'
import { toLocator } from '../../domain/locator.ts'
import type { Paginated } from '../../domain/search.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import {
  type AttachedRow,
  PLACED_COLUMNS,
  type PlacedRow,
  toDocument,
  toPlacedChunk,
} from '../document-rows.ts'
import type { ChunkRange, DocumentKey, DocumentList } from '../document-store.ts'
import { type PackedText, unpackText } from '../document-text.ts'
import { findWorkspace } from '../sql/workspaces.ts'
import type { Connection } from './connection.ts'
import { execute } from './dialect.ts'

/** The columns that `toDocument` needs, of a document `d`. */
const ATTACHED_COLUMNS = `d.*, (SELECT json_group_array(c.id) FROM attachment a
  CROSS JOIN conversation c ON c.number = a.conversation
  WHERE a.workspace = d.workspace AND a.document_id = d.id) AS conversations`

export function findDocumentRow(connection: Connection, key: DocumentKey): AttachedRow | undefined {
  return connection.get<AttachedRow>(
    `SELECT ${ATTACHED_COLUMNS} FROM document d JOIN workspace w ON w.number = d.workspace
     WHERE w.id = ? AND d.id = ?`,
    key.workspace,
    key.document,
  )
}

export function needDocumentRow(connection: Connection, key: DocumentKey): AttachedRow {
  const row = findDocumentRow(connection, key)
  if (row !== undefined) return row
  throw new MemoryError('not-found', `there is no document "${key.document}"`, {
    hint: 'list the documents to see their ids',
  })
}

export function findDocument(connection: Connection, key: DocumentKey): Document | undefined {
  const row = findDocumentRow(connection, key)
  return row && toDocument(row)
}

export function findByContent(
  connection: Connection,
  workspace: WorkspaceId,
  hash: string,
): AttachedRow | undefined {
  return connection.get<AttachedRow>(
    `SELECT ${ATTACHED_COLUMNS} FROM document d JOIN workspace w ON w.number = d.workspace
     WHERE w.id = ? AND d.content_hash = ?`,
    workspace,
    hash,
  )
}

export function findDocumentByContent(
  connection: Connection,
  workspace: WorkspaceId,
  hash: string,
): Document | undefined {
  const row = findByContent(connection, workspace, hash)
  return row && toDocument(row)
}

export function listDocuments(connection: Connection, list: DocumentList): Paginated<Document> {
  const workspace = execute(connection, findWorkspace(list.workspace))
  if (workspace === undefined) return { items: [] }
  const [before] = list.cursor === undefined ? [Number.MAX_SAFE_INTEGER] : readCursor(list.cursor, 1)
  const attached = list.conversation === undefined ? [] : [list.conversation]
  const rows = connection.all<AttachedRow>(
    `SELECT ${ATTACHED_COLUMNS} FROM document d WHERE d.workspace = ? AND d.number < ?
       ${attached.length === 0 ? '' : ATTACHED_TO}
     ORDER BY d.number DESC LIMIT ?`,
    workspace,
    before as number,
    ...attached,
    list.limit + 1,
  )
  const items = rows.slice(0, list.limit)
  const last = items.at(-1)
  const hasMore = rows.length > list.limit && last !== undefined
  return { items: items.map(toDocument), ...(hasMore && { next: writeCursor([last.number]) }) }
}

const ATTACHED_TO = `AND EXISTS (SELECT 1 FROM attachment a CROSS JOIN conversation c ON c.number = a.conversation
  WHERE a.workspace = d.workspace AND a.document_id = d.id AND c.id = ?)`

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
  const row = findDocumentRow(connection, key)
  if (row === undefined) return []
  const rows = connection.all<PlacedRow>(
    `SELECT ${PLACED_COLUMNS} FROM chunk k JOIN document d ON d.number = ?
     WHERE k.place > ? AND k.place < ? ORDER BY k.place LIMIT ?`,
    row.number,
    toLocator(row.number, after),
    toLocator(row.number + 1, 0),
    limit,
  )
  return rows.map((chunk) => {
    const { place: _, documentName: __, createdAt: ___, ...plain } = toPlacedChunk(chunk)
    return plain
  })
}
