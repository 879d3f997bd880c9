// Documents and their chunks.

import type { DocumentStore } from '../document-store.ts'
import { packText } from '../document-text.ts'
import type { Access } from './access.ts'
import { attachDocument, detachDocument } from './attachments.ts'
import { findChunkPlaces, readChunksAt } from './chunk-lookup.ts'
import type { Connection } from './connection.ts'
import {
  findDocument,
  findDocumentByContent,
  listDocuments,
  readChunks,
  readDocumentText,
} from './document-reads.ts'
import { addDocument, importDocument, replaceDocument, saveChunks } from './documents.ts'

/** What a document says is compressed before its transaction begins. */
export function toDocumentStore(
  connection: Connection,
  { enter, read, write, together }: Access,
): DocumentStore {
  return {
    addDocument: (addition) =>
      enter(async () => {
        const packed = await packText(addition.accepted.content)
        return connection.write(() => addDocument(connection, addition, packed))
      }),
    importDocument: (imported) =>
      enter(async () => {
        const packed = await packText(imported.accepted.content)
        return connection.write(() => importDocument(connection, imported, packed))
      }),
    replaceDocument: (replacement) =>
      enter(async () => {
        const packed = await packText(replacement.accepted.content)
        return connection.write(() => replaceDocument(connection, replacement, packed))
      }),
    findDocument: (key) => read(() => findDocument(connection, key)),
    findDocumentByContent: (workspace, hash) =>
      read(() => findDocumentByContent(connection, workspace, hash)),
    listDocuments: (list) => read(() => listDocuments(connection, list)),
    documentText: (key) => read(() => readDocumentText(connection, key)),
    chunks: (range) => read(() => readChunks(connection, range)),
    saveChunks: (key, version, chunked) => write(() => saveChunks(connection, { ...key, version, chunked })),
    attachDocument: (key, conversation, now) =>
      write(() => attachDocument(connection, { key, conversation, now })),
    detachDocument: (key, conversation) => write(() => detachDocument(connection, key, conversation)),
    findChunkPlaces: together((lookups) => findChunkPlaces(connection, lookups)),
    chunksAt: (workspace, places) => read(() => readChunksAt(connection, workspace, places)),
  }
}
