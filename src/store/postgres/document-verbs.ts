// Documents and their chunks.

import type { DocumentStore } from '../document-store.ts'
import { packText } from '../document-text.ts'
import type { Access } from './access.ts'
import { attachDocument, detachDocument } from './attachments.ts'
import { findChunkPlaces, findSeen, readChunksAt } from './chunk-lookup.ts'
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
  { enter, lookUp, lookUpGathered, read, write }: Access,
): DocumentStore {
  const findSeenBy = lookUpGathered(findSeen)
  return {
    addDocument: (addition) =>
      enter(async () => {
        const packed = await packText(addition.accepted.content)
        return connection.write((session) => addDocument(session, addition, packed))
      }),
    importDocument: (imported) =>
      enter(async () => {
        const packed = await packText(imported.accepted.content)
        return connection.write((session) => importDocument(session, imported, packed))
      }),
    replaceDocument: (replacement) =>
      enter(async () => {
        const packed = await packText(replacement.accepted.content)
        return connection.write((session) => replaceDocument(session, replacement, packed))
      }),
    findDocument: (key) => read((session) => findDocument(session, key)),
    findDocumentByContent: (workspace, hash) =>
      read((session) => findDocumentByContent(session, workspace, hash)),
    listDocuments: (list) => read((session) => listDocuments(session, list)),
    documentText: (key) => read((session) => readDocumentText(session, key)),
    chunks: (range) => read((session) => readChunks(session, range)),
    saveChunks: (key, version, chunked) =>
      write((session) => saveChunks(session, { ...key, version, chunked })),
    attachDocument: (key, conversation, now) =>
      write((session) => attachDocument(session, { key, conversation, now })),
    detachDocument: (key, conversation) => write((session) => detachDocument(session, key, conversation)),
    findChunkPlaces: async (lookup) => {
      const seen = await findSeenBy(lookup)
      return lookUp((session) => findChunkPlaces(session, lookup, seen))
    },
    chunksAt: (workspace, places) => lookUp((session) => readChunksAt(session, workspace, places)),
  }
}
