// Documents and their chunks.

import type { DocumentText } from '../../domain/document.ts'
import type { Commit } from '../changes.ts'
import { chunksCommit, documentCommit } from '../commits.ts'
import type { DocumentSaved, DocumentStore } from '../document-store.ts'
import { type PackedText, packText } from '../document-text.ts'
import { attachDocument, detachDocument } from './attachments.ts'
import { findChunkPlaces, readChunksAt } from './chunk-lookup.ts'
import type { Access, Connection } from './connection.ts'
import {
  findDocument,
  findDocumentByContent,
  listDocuments,
  readChunks,
  readDocumentText,
} from './document-reads.ts'
import { addDocument, importDocument, replaceDocument, saveChunks } from './documents.ts'

/** The text of a document is compressed before its transaction begins. */
export function toDocumentStore(
  connection: Connection,
  { track, read, write, batch }: Access,
): DocumentStore {
  const writePacked = (content: DocumentText, work: (packed: PackedText) => DocumentSaved, commit: Commit) =>
    track(async () => {
      const packed = await packText(content)
      return connection.commits.write(
        connection.write(() => work(packed)),
        commit,
      )
    })
  return {
    addDocument: (addition) =>
      writePacked(
        addition.accepted.content,
        (packed) => addDocument(connection, addition, packed),
        documentCommit('addDocument', { workspace: addition.workspace }),
      ),
    importDocument: (imported) =>
      writePacked(
        imported.accepted.content,
        (packed) => importDocument(connection, imported, packed),
        documentCommit('importDocument', { workspace: imported.workspace }),
      ),
    replaceDocument: (replacement) =>
      writePacked(
        replacement.accepted.content,
        (packed) => replaceDocument(connection, replacement, packed),
        documentCommit('replaceDocument', replacement),
      ),
    findDocument: (key) => read(() => findDocument(connection, key)),
    findDocumentByContent: (workspace, hash) =>
      read(() => findDocumentByContent(connection, workspace, hash)),
    listDocuments: (list) => read(() => listDocuments(connection, list)),
    documentText: (key) => read(() => readDocumentText(connection, key)),
    chunks: (range) => read(() => readChunks(connection, range)),
    saveChunks: (key, version, chunked) =>
      write(() => saveChunks(connection, { ...key, version, chunked }), chunksCommit(key)),
    attachDocument: (key, conversation, now) =>
      write(
        () => attachDocument(connection, { key, conversation, now }),
        documentCommit('attachDocument', key),
      ),
    detachDocument: (key, conversation) =>
      write(() => detachDocument(connection, key, conversation), documentCommit('detachDocument', key)),
    findChunkPlaces: batch((lookups) => findChunkPlaces(connection, lookups)),
    chunksAt: (workspace, places) => read(() => readChunksAt(connection, workspace, places)),
  }
}
