import { MemoryError } from '../../domain/errors.ts'
import { toLocator } from '../../domain/locator.ts'
import { type DocumentRow, toDocument } from '../document-rows.ts'
import type {
  AcceptedDocument,
  Chunked,
  DocumentAddition,
  DocumentKey,
  DocumentReplacement,
  DocumentSaved,
  ImportedDocument,
  OnChunks,
} from '../document-store.ts'
import type { PackedText } from '../document-text.ts'
import { createWorkspace } from '../sql/workspaces.ts'
import { attach } from './attachments.ts'
import { chunkEntry, hideWords } from './chunk-index.ts'
import type { Connection } from './connection.ts'
import { execute } from './dialect.ts'
import { findByContent, findDocumentRow, needDocumentRow } from './document-reads.ts'
import { addEntry } from './word-index.ts'

export function addDocument(
  connection: Connection,
  addition: DocumentAddition,
  packed: PackedText,
): DocumentSaved {
  const { accepted, now, conversation, ...key } = addition
  const found = findDocumentRow(connection, key)
  if (found !== undefined && found.content_hash !== accepted.contentHash) throw idIsTaken(key)
  if (found === undefined) {
    refuseDouble(connection, key, accepted)
    const isWorkspaceWide = conversation === undefined
    const history = { version: 1, isWorkspaceWide, createdAt: now, updatedAt: now }
    insert(connection, { ...addition, ...history }, packed)
  }
  attach(connection, needDocumentRow(connection, key), { key, conversation, now })
  return { document: toDocument(needDocumentRow(connection, key)), isNew: found === undefined }
}

export function importDocument(
  connection: Connection,
  imported: ImportedDocument,
  packed: PackedText,
): DocumentSaved {
  const { workspace, accepted } = imported
  const found =
    findDocumentRow(connection, imported) ?? findByContent(connection, workspace, accepted.contentHash)
  if (found !== undefined) return { document: toDocument(found), isNew: false }
  insert(connection, imported, packed)
  return { document: toDocument(needDocumentRow(connection, imported)), isNew: true }
}

const idIsTaken = ({ document }: DocumentKey): MemoryError =>
  new MemoryError('conflict', `there is another document with the id "${document}"`, {
    hint: 'replace it with a new version, or add this one under an id of its own',
  })

function refuseDouble(
  connection: Connection,
  { workspace, document }: DocumentKey,
  { contentHash }: AcceptedDocument,
): void {
  const same = findByContent(connection, workspace, contentHash)
  if (same === undefined || same.id === document) return
  throw new MemoryError('conflict', `the same content is there as document "${same.id}"`, {
    hint: 'no content is indexed twice; attach that document where it is needed',
  })
}

function insert(
  connection: Connection,
  { accepted, ...insertion }: ImportedDocument,
  packed: PackedText,
): void {
  const columns = {
    workspace: execute(connection, createWorkspace(insertion.workspace, insertion.createdAt)),
    id: insertion.document,
    version: insertion.version,
    ...toColumns(accepted),
    is_workspace_wide: Number(insertion.isWorkspaceWide),
    created_at: insertion.createdAt.getTime(),
    updated_at: insertion.updatedAt.getTime(),
  }
  const names = Object.keys(columns)
  const row = connection.get<DocumentRow>(
    `INSERT INTO document (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) RETURNING *`,
    ...Object.values(columns),
  ) as DocumentRow
  writeText(connection, row, packed)
  writeChunks(connection, row, { chunks: accepted.chunks, onChunks: insertion.onChunks })
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

function writeText(connection: Connection, { number }: DocumentRow, { text, blocks }: PackedText): void {
  connection.run(
    'INSERT OR REPLACE INTO document_text (document, text, blocks) VALUES (?, ?, ?)',
    number,
    text,
    blocks,
  )
}

const TOLD_EVERY = 256

function writeChunks(
  connection: Connection,
  { number, workspace }: DocumentRow,
  {
    chunks,
    onChunks = () => undefined,
  }: Pick<Chunked, 'chunks'> & { readonly onChunks?: OnChunks | undefined },
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
    if (index % TOLD_EVERY === 0) onChunks(index)
  }
  onChunks(chunks.length)
}

export function replaceDocument(
  connection: Connection,
  { accepted, now, onChunks, ...key }: DocumentReplacement,
  packed: PackedText,
): DocumentSaved {
  const row = needDocumentRow(connection, key)
  const isNew = row.content_hash !== accepted.contentHash
  if (isNew) {
    refuseDouble(connection, key, accepted)
    dropChunks(connection, row)
    change(connection, row, { ...toColumns(accepted), version: row.version + 1, updated_at: now.getTime() })
    writeText(connection, row, packed)
    writeChunks(connection, row, { chunks: accepted.chunks, onChunks })
  } else if (row.name !== accepted.name || row.media_type !== accepted.mediaType) {
    const { name, mediaType } = accepted
    change(connection, row, { name, media_type: mediaType, updated_at: now.getTime() })
  }
  return { document: toDocument(needDocumentRow(connection, key)), isNew }
}

function change(
  connection: Connection,
  { number }: DocumentRow,
  columns: Record<string, string | number>,
): void {
  const names = Object.keys(columns)
  connection.run(
    `UPDATE document SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE number = ?`,
    ...Object.values(columns),
    number,
  )
}

function dropChunks(connection: Connection, row: DocumentRow): void {
  hideWords(connection, row)
  connection.run(
    'DELETE FROM chunk WHERE place >= ? AND place < ?',
    toLocator(row.number, 0),
    toLocator(row.number + 1, 0),
  )
}

export function saveChunks(
  connection: Connection,
  { version, chunked, ...key }: DocumentKey & { readonly version: number; readonly chunked: Chunked },
): boolean {
  const row = findDocumentRow(connection, key)
  if (row?.version !== version) return false
  dropChunks(connection, row)
  change(connection, row, toCountColumns(chunked))
  writeChunks(connection, row, chunked)
  return true
}
