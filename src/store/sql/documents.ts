// Documents. Each engine stores their text and chunks in its own way.

import type { Document } from '../../domain/document.ts'
import { MemoryError } from '../../domain/errors.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { chunksCommit, documentCommit } from '../commits.ts'
import { type DocumentRow, toDocument } from '../document-rows.ts'
import type {
  AcceptedDocument,
  Chunked,
  DocumentAddition,
  DocumentKey,
  DocumentReplacement,
  DocumentSaved,
  DocumentStore,
  ImportedDocument,
} from '../document-store.ts'
import { type PackedText, packText } from '../document-text.ts'
import { changeRow, createRow, lockRow } from './conversations.ts'
import {
  findByContent,
  findDocument,
  findDocumentByContent,
  findDocumentRow,
  listDocuments,
  lockDocumentRow,
  needDocument,
  needDocumentRow,
} from './document-reads.ts'
import {
  assignments,
  callEngine,
  type Db,
  get,
  insertInto,
  run,
  type SqlAccess,
  type SqlParameter,
} from './statement.ts'
import { createWorkspace } from './workspaces.ts'

/** The text of a document is compressed before its transaction begins. */
export function toDocumentStore({
  read,
  write,
  writePrepared,
}: SqlAccess): Omit<DocumentStore, 'documentText' | 'chunks' | 'findChunkPlaces' | 'chunksAt'> {
  return {
    addDocument: (addition) =>
      writePrepared(
        () => packText(addition.accepted.content),
        (packed) => addDocument(addition, packed),
        documentCommit('addDocument', { workspace: addition.workspace }),
      ),
    importDocument: (imported) =>
      writePrepared(
        () => packText(imported.accepted.content),
        (packed) => importDocument(imported, packed),
        documentCommit('importDocument', { workspace: imported.workspace }),
      ),
    replaceDocument: (replacement) =>
      writePrepared(
        () => packText(replacement.accepted.content),
        (packed) => replaceDocument(replacement, packed),
        documentCommit('replaceDocument', replacement),
      ),
    findDocument: (key) => read(() => findDocument(key)),
    findDocumentByContent: (workspace, hash) => read(() => findDocumentByContent(workspace, hash)),
    listDocuments: (list) => read(() => listDocuments(list)),
    saveChunks: (key, version, chunked) =>
      write(() => saveChunks({ ...key, version, chunked }), chunksCommit(key)),
    attachDocument: (key, conversation, now) =>
      write(() => attachDocument({ key, conversation, now }), documentCommit('attachDocument', key)),
    detachDocument: (key, conversation) =>
      write(() => detachDocument(key, conversation), documentCommit('detachDocument', key)),
  }
}

function* addDocument(addition: DocumentAddition, packed: PackedText): Db<DocumentSaved> {
  const { accepted, now, conversation, ...key } = addition
  const found = yield* lockDocumentRow(key)
  if (found !== undefined && found.content_hash !== accepted.contentHash) throw idIsTaken(key)
  if (found === undefined) {
    yield* refuseDouble(key, accepted)
    const isWorkspaceWide = conversation === undefined
    const history = { version: 1, isWorkspaceWide, createdAt: now, updatedAt: now }
    yield* insert({ ...addition, ...history }, packed)
  }
  yield* attach(yield* needDocumentRow(key), { key, conversation, now })
  return { document: yield* needDocument(key), isNew: found === undefined }
}

function* importDocument(imported: ImportedDocument, packed: PackedText): Db<DocumentSaved> {
  const found =
    (yield* findDocumentRow(imported)) ??
    (yield* findByContent(imported.workspace, imported.accepted.contentHash))
  if (found !== undefined) return { document: toDocument(found), isNew: false }
  yield* insert(imported, packed)
  return { document: yield* needDocument(imported), isNew: true }
}

const idIsTaken = ({ document }: DocumentKey): MemoryError =>
  new MemoryError('conflict', `there is another document with the id "${document}"`, {
    hint: 'replace it with a new version, or add this one under another id',
  })

function* refuseDouble({ workspace, document }: DocumentKey, { contentHash }: AcceptedDocument): Db<void> {
  const same = yield* findByContent(workspace, contentHash)
  if (same === undefined || same.id === document) return
  throw new MemoryError('conflict', `the same content is there as document "${same.id}"`, {
    hint: 'no content is indexed twice; attach that document where it is needed',
  })
}

function* insert({ accepted, ...insertion }: ImportedDocument, packed: PackedText): Db<void> {
  const columns = {
    workspace: yield* createWorkspace(insertion.workspace, insertion.createdAt),
    id: insertion.document,
    version: insertion.version,
    ...toColumns(accepted),
    is_workspace_wide: insertion.isWorkspaceWide,
    created_at: insertion.createdAt.getTime(),
    updated_at: insertion.updatedAt.getTime(),
  }
  const sql = `${insertInto('document', columns)} RETURNING *`
  const row = (yield* get<DocumentRow>(sql, ...Object.values(columns))) as DocumentRow
  yield* callEngine('writeDocumentText', row, packed)
  yield* callEngine('writeChunks', row, { chunks: accepted.chunks, onChunks: insertion.onChunks })
}

const toColumns = (accepted: AcceptedDocument) => ({
  name: accepted.name,
  media_type: accepted.mediaType,
  format: accepted.format,
  content_hash: accepted.contentHash,
  bytes: accepted.bytes,
  characters: accepted.content.text.length,
  ...toCountColumns(accepted),
})

const toCountColumns = ({ tokens, tokenizer, chunks }: Chunked) => ({
  tokens,
  tokenizer,
  chunk_count: chunks.length,
})

function* replaceDocument(
  { accepted, now, onChunks, ...key }: DocumentReplacement,
  packed: PackedText,
): Db<DocumentSaved> {
  const row = yield* needDocumentRow(key)
  const isNew = row.content_hash !== accepted.contentHash
  if (isNew) {
    yield* refuseDouble(key, accepted)
    yield* callEngine('dropChunks', row)
    yield* change(row, { ...toColumns(accepted), version: row.version + 1, updated_at: now.getTime() })
    yield* callEngine('writeDocumentText', row, packed)
    yield* callEngine('writeChunks', row, { chunks: accepted.chunks, onChunks })
  } else if (row.name !== accepted.name || row.media_type !== accepted.mediaType) {
    const { name, mediaType } = accepted
    yield* change(row, { name, media_type: mediaType, updated_at: now.getTime() })
  }
  return { document: yield* needDocument(key), isNew }
}

function* change({ workspace, number }: DocumentRow, columns: Record<string, SqlParameter>): Db<void> {
  yield* run(
    `UPDATE document SET ${assignments(columns, 3)} WHERE workspace = $1 AND number = $2`,
    workspace,
    number,
    ...Object.values(columns),
  )
}

function* saveChunks({
  version,
  chunked,
  ...key
}: DocumentKey & { readonly version: number; readonly chunked: Chunked }): Db<boolean> {
  const row = yield* lockDocumentRow(key)
  if (row?.version !== version) return false
  yield* callEngine('dropChunks', row)
  yield* change(row, toCountColumns(chunked))
  yield* callEngine('writeChunks', row, chunked)
  return true
}

// Which conversations see a document. The conversations' lists are authoritative; the table `attachment` follows
// them.

interface Attaching {
  readonly key: DocumentKey
  readonly conversation: ConversationId | undefined
  readonly now: Date
}

export function* attach(row: DocumentRow, { key, conversation, now }: Attaching): Db<void> {
  if (conversation === undefined) return yield* setWorkspaceWide(row, true)
  const { workspace, document } = key
  const target = yield* createRow({ workspace, conversation, fields: {}, createdAt: now })
  const documents: string[] = JSON.parse(target.documents)
  if (!documents.includes(document)) yield* changeRow(target, { documents: [...documents, document] })
}

function* setWorkspaceWide({ workspace, number }: DocumentRow, isWide: boolean): Db<void> {
  yield* run(
    'UPDATE document SET is_workspace_wide = $3 WHERE workspace = $1 AND number = $2',
    workspace,
    number,
    isWide,
  )
}

export function* attachDocument(attaching: Attaching): Db<Document> {
  yield* attach(yield* needDocumentRow(attaching.key), attaching)
  return yield* needDocument(attaching.key)
}

export function* detachDocument(key: DocumentKey, conversation: ConversationId | undefined): Db<Document> {
  const row = yield* needDocumentRow(key)
  if (conversation === undefined) yield* setWorkspaceWide(row, false)
  else yield* takeOffList(key, conversation)
  return yield* needDocument(key)
}

function* takeOffList({ workspace, document }: DocumentKey, conversation: ConversationId): Db<void> {
  const target = yield* lockRow({ workspace, conversation })
  const documents: string[] = JSON.parse(target?.documents ?? '[]')
  if (target === undefined || !documents.includes(document)) return
  yield* changeRow(target, { documents: documents.filter((id) => id !== document) })
}
