import type { Document } from '../../domain/document.ts'
import { MemoryError } from '../../domain/errors.ts'
import type { WorkspaceId } from '../../domain/ids.ts'
import type { Paginated } from '../../domain/search.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import { type AttachedRow, toDocument } from '../document-rows.ts'
import type { DocumentKey, DocumentList } from '../document-store.ts'
import { all, type Db, get } from './statement.ts'
import { findWorkspace } from './workspaces.ts'

/** Selects the columns that `toDocument` needs, for a document `d`. */
const ATTACHED_COLUMNS = `d.*, coalesce((SELECT json_agg(c.id ORDER BY a.conversation) FROM attachment a
  JOIN conversation c ON c.workspace = a.workspace AND c.number = a.conversation
  WHERE a.workspace = d.workspace AND a.document_id = d.id)::text, '[]') AS conversations`

const OF_WORKSPACE = `SELECT ${ATTACHED_COLUMNS} FROM workspace w JOIN document d ON d.workspace = w.number WHERE w.id = $1`

export const findDocumentRow = (key: DocumentKey): Db<AttachedRow | undefined> =>
  get<AttachedRow>(`${OF_WORKSPACE} AND d.id = $2`, key.workspace, key.document)

/** Locks the row until the end of the transaction. */
export const lockDocumentRow = (key: DocumentKey): Db<AttachedRow | undefined> =>
  get<AttachedRow>(`${OF_WORKSPACE} AND d.id = $2 FOR NO KEY UPDATE OF d`, key.workspace, key.document)

export function* needDocumentRow(key: DocumentKey): Db<AttachedRow> {
  const row = yield* lockDocumentRow(key)
  if (row !== undefined) return row
  throw new MemoryError('not-found', `there is no document "${key.document}"`, {
    hint: 'list the documents to see their ids',
  })
}

export function* needDocument(key: DocumentKey): Db<Document> {
  return toDocument(yield* needDocumentRow(key))
}

export function* findDocument(key: DocumentKey): Db<Document | undefined> {
  const row = yield* findDocumentRow(key)
  return row && toDocument(row)
}

export const findByContent = (workspace: WorkspaceId, hash: string): Db<AttachedRow | undefined> =>
  get<AttachedRow>(`${OF_WORKSPACE} AND md5(d.content_hash) = md5($2::text)`, workspace, hash)

export function* findDocumentByContent(workspace: WorkspaceId, hash: string): Db<Document | undefined> {
  const row = yield* findByContent(workspace, hash)
  return row && toDocument(row)
}

const ATTACHED_TO = `AND EXISTS (SELECT 1 FROM attachment a
  JOIN conversation c ON c.workspace = a.workspace AND c.number = a.conversation
  WHERE a.workspace = d.workspace AND a.document_id = d.id AND c.id = $4)`

export function* listDocuments(list: DocumentList): Db<Paginated<Document>> {
  const workspace = yield* findWorkspace(list.workspace)
  if (workspace === undefined) return { items: [] }
  const [before = 0] = list.cursor === undefined ? [Number.MAX_SAFE_INTEGER] : readCursor(list.cursor, 1)
  const attached = list.conversation === undefined ? [] : [list.conversation]
  const rows = yield* all<AttachedRow>(
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
