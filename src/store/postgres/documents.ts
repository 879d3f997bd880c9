import { MemoryError } from '../../domain/errors.ts'
import type { DocumentRow } from '../document-rows.ts'
import type {
  AcceptedDocument,
  Chunked,
  DocumentAddition,
  DocumentKey,
  DocumentReplacement,
  DocumentSaved,
  ImportedDocument,
} from '../document-store.ts'
import type { PackedText } from '../document-text.ts'
import { createWorkspace } from '../sql/workspaces.ts'
import { attach } from './attachments.ts'
import { removeChunkWords, writeChunks } from './chunks.ts'
import {
  findByContent,
  findDocumentRow,
  lockDocumentRow,
  needDocumentRow,
  toDocument,
} from './document-reads.ts'
import type { SqlValue } from './driver.ts'
import { execute } from './execute.ts'
import type { Session } from './session.ts'

export async function addDocument(
  session: Session,
  addition: DocumentAddition,
  packed: PackedText,
): Promise<DocumentSaved> {
  const { accepted, now, conversation, ...key } = addition
  const found = await lockDocumentRow(session, key)
  if (found !== undefined && found.content_hash !== accepted.contentHash) throw idIsTaken(key)
  if (found === undefined) {
    await refuseDouble(session, key, accepted)
    const isWorkspaceWide = conversation === undefined
    const history = { version: 1, isWorkspaceWide, createdAt: now, updatedAt: now }
    await insert(session, { ...addition, ...history }, packed)
  }
  await attach(session, await needDocumentRow(session, key), { key, conversation, now })
  return { document: toDocument(await needDocumentRow(session, key)), isNew: found === undefined }
}

export async function importDocument(
  session: Session,
  imported: ImportedDocument,
  packed: PackedText,
): Promise<DocumentSaved> {
  const { workspace, accepted } = imported
  const found =
    (await findDocumentRow(session, imported)) ??
    (await findByContent(session, workspace, accepted.contentHash))
  if (found !== undefined) return { document: toDocument(found), isNew: false }
  await insert(session, imported, packed)
  return { document: toDocument(await needDocumentRow(session, imported)), isNew: true }
}

const idIsTaken = ({ document }: DocumentKey): MemoryError =>
  new MemoryError('conflict', `there is another document with the id "${document}"`, {
    hint: 'replace it with a new version, or add this one under an id of its own',
  })

async function refuseDouble(
  session: Session,
  { workspace, document }: DocumentKey,
  { contentHash }: AcceptedDocument,
): Promise<void> {
  const same = await findByContent(session, workspace, contentHash)
  if (same === undefined || same.id === document) return
  throw new MemoryError('conflict', `the same content is there as document "${same.id}"`, {
    hint: 'no content is indexed twice; attach that document where it is needed',
  })
}

async function insert(
  session: Session,
  { accepted, ...insertion }: ImportedDocument,
  packed: PackedText,
): Promise<void> {
  const columns = {
    workspace: await execute(session, createWorkspace(insertion.workspace, insertion.createdAt)),
    id: insertion.document,
    version: insertion.version,
    ...toColumns(accepted),
    is_workspace_wide: insertion.isWorkspaceWide,
    created_at: insertion.createdAt.getTime(),
    updated_at: insertion.updatedAt.getTime(),
  }
  const names = Object.keys(columns)
  const row = (await session.get<DocumentRow>(
    `INSERT INTO document (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')}) RETURNING *`,
    ...Object.values(columns),
  )) as DocumentRow
  await writeText(session, row, packed)
  await writeChunks(session, row, { chunks: accepted.chunks, onChunks: insertion.onChunks })
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

async function writeText(
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

export async function replaceDocument(
  session: Session,
  { accepted, now, onChunks, ...key }: DocumentReplacement,
  packed: PackedText,
): Promise<DocumentSaved> {
  const row = await needDocumentRow(session, key)
  const isNew = row.content_hash !== accepted.contentHash
  if (isNew) {
    await refuseDouble(session, key, accepted)
    await dropChunks(session, row)
    const next = { ...toColumns(accepted), version: row.version + 1, updated_at: now.getTime() }
    await change(session, row, next)
    await writeText(session, row, packed)
    await writeChunks(session, row, { chunks: accepted.chunks, onChunks })
  } else if (row.name !== accepted.name || row.media_type !== accepted.mediaType) {
    const { name, mediaType } = accepted
    await change(session, row, { name, media_type: mediaType, updated_at: now.getTime() })
  }
  return { document: toDocument(await needDocumentRow(session, key)), isNew }
}

async function change(
  session: Session,
  { workspace, number }: DocumentRow,
  columns: Record<string, SqlValue>,
): Promise<void> {
  const names = Object.keys(columns)
  await session.run(
    `UPDATE document SET ${names.map((name, i) => `${name} = $${i + 3}`).join(', ')} WHERE workspace = $1 AND number = $2`,
    workspace,
    number,
    ...Object.values(columns),
  )
}

async function dropChunks(session: Session, row: DocumentRow): Promise<void> {
  await removeChunkWords(session, row)
  await session.run('DELETE FROM chunk WHERE workspace = $1 AND document = $2', row.workspace, row.number)
}

export async function saveChunks(
  session: Session,
  { version, chunked, ...key }: DocumentKey & { readonly version: number; readonly chunked: Chunked },
): Promise<boolean> {
  const row = await lockDocumentRow(session, key)
  if (row?.version !== version) return false
  await dropChunks(session, row)
  await change(session, row, toCountColumns(chunked))
  await writeChunks(session, row, chunked)
  return true
}
