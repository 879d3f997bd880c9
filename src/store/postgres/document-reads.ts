import type { Chunk, Document, DocumentText } from '../../domain/document.ts'
import { MemoryError } from '../../domain/errors.ts'
import type { WorkspaceId } from '../../domain/ids.ts'
import { POSITIONS_PER_CONVERSATION } from '../../domain/locator.ts'
import type { Paginated } from '../../domain/search.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import {
  type DocumentRow,
  type PlacedRow,
  toDocument as rowToDocument,
  toPlacedChunk,
} from '../document-rows.ts'
import type { ChunkRange, DocumentKey, DocumentList } from '../document-store.ts'
import { type PackedText, unpackText } from '../document-text.ts'
import { findWorkspace } from '../sql/workspaces.ts'
import { execute } from './execute.ts'
import type { Session } from './session.ts'

/** A document with the ids of the conversations it is attached to. */
interface AttachedRow extends DocumentRow {
  readonly conversations: readonly string[]
}

/** Selects the columns that `toDocument` needs, for a document `d`. */
const ATTACHED_COLUMNS = `d.*, ARRAY(SELECT c.id FROM attachment a
  JOIN conversation c ON c.workspace = a.workspace AND c.number = a.conversation
  WHERE a.workspace = d.workspace AND a.document_id = d.id ORDER BY a.conversation) AS conversations`

export const toDocument = (row: AttachedRow): Document =>
  rowToDocument({ ...row, conversations: JSON.stringify(row.conversations) })

const OF_WORKSPACE = `SELECT ${ATTACHED_COLUMNS} FROM document d JOIN workspace w ON w.number = d.workspace WHERE w.id = $1`

export async function findDocumentRow(session: Session, key: DocumentKey): Promise<AttachedRow | undefined> {
  return session.get<AttachedRow>(`${OF_WORKSPACE} AND d.id = $2`, key.workspace, key.document)
}

/** Locks the row until the transaction ends. */
export async function lockDocumentRow(session: Session, key: DocumentKey): Promise<AttachedRow | undefined> {
  return session.get<AttachedRow>(
    `${OF_WORKSPACE} AND d.id = $2 FOR NO KEY UPDATE OF d`,
    key.workspace,
    key.document,
  )
}

export async function needDocumentRow(session: Session, key: DocumentKey): Promise<AttachedRow> {
  const row = await lockDocumentRow(session, key)
  if (row !== undefined) return row
  throw new MemoryError('not-found', `there is no document "${key.document}"`, {
    hint: 'list the documents to see their ids',
  })
}

export async function findDocument(session: Session, key: DocumentKey): Promise<Document | undefined> {
  const row = await findDocumentRow(session, key)
  return row && toDocument(row)
}

export async function findByContent(
  session: Session,
  workspace: WorkspaceId,
  hash: string,
): Promise<AttachedRow | undefined> {
  return session.get<AttachedRow>(`${OF_WORKSPACE} AND md5(d.content_hash) = md5($2::text)`, workspace, hash)
}

export async function findDocumentByContent(
  session: Session,
  workspace: WorkspaceId,
  hash: string,
): Promise<Document | undefined> {
  const row = await findByContent(session, workspace, hash)
  return row && toDocument(row)
}

const ATTACHED_TO = `AND EXISTS (SELECT 1 FROM attachment a
  JOIN conversation c ON c.workspace = a.workspace AND c.number = a.conversation
  WHERE a.workspace = d.workspace AND a.document_id = d.id AND c.id = $4)`

export async function listDocuments(session: Session, list: DocumentList): Promise<Paginated<Document>> {
  const workspace = await execute(session, findWorkspace(list.workspace))
  if (workspace === undefined) return { items: [] }
  const [before = 0] = list.cursor === undefined ? [Number.MAX_SAFE_INTEGER] : readCursor(list.cursor, 1)
  const attached = list.conversation === undefined ? [] : [list.conversation]
  const rows = await session.all<AttachedRow>(
    `SELECT ${ATTACHED_COLUMNS} FROM document d WHERE d.workspace = $1 AND d.number < $2::bigint
       ${attached.length === 0 ? '' : ATTACHED_TO} ORDER BY d.number DESC LIMIT $3`,
    workspace,
    before,
    list.limit + 1,
    ...attached,
  )
  const items = rows.slice(0, list.limit)
  const last = items.at(-1)
  const hasMore = rows.length > list.limit && last !== undefined
  return { items: items.map(toDocument), ...(hasMore && { next: writeCursor([last.number]) }) }
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
